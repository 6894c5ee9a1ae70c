/// One answer of ListObjectsV2.
struct BucketPage {
  struct Entry: Equatable {
    var key = ""
    var byteCount: Int?
    var entityTag: String?
  }

  private(set) var entries: [Entry] = []
  /// What leads to the next page.
  private(set) var continuation: String?

  /// `nil` where it is no such answer.
  init?(_ body: [UInt8]) {
    var reader = XMLReader(body)
    var (entry, isWhole, isEncoded) = (Entry(), false, false)
    var (isTruncated, token) = (false, String?.none)
    while let element = reader.next() {
      guard element.path.first == "ListBucketResult" else { continue }
      switch element.path.dropFirst() {
      case ["Contents", "Key"]: entry.key = element.text
      case ["Contents", "Size"]: entry.byteCount = Int(element.text)
      case ["Contents", "ETag"]: entry.entityTag = element.text
      case ["Contents"]:
        entries.append(entry)
        entry = Entry()
      case ["EncodingType"]: isEncoded = element.text == "url"
      case ["IsTruncated"]: isTruncated = element.text == "true"
      case ["NextContinuationToken"]: token = element.text
      case []: isWhole = true
      default: break
      }
    }
    // A part of a listing that can't be gone on with is none.
    guard isWhole, !isTruncated || token != nil else { return nil }
    continuation = isTruncated ? token : nil
    if isEncoded {
      for index in entries.indices {
        entries[index].key = PercentEncoding.decodeListed(entries[index].key)
      }
    }
  }
}

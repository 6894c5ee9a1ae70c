/// Text whose lines end in carriage returns alone, as spreadsheets on the Mac write it, with line
/// feeds in their place.
final class ReturnStream: ByteStream {
  private let inner: ByteStream

  init(_ inner: ByteStream) { self.inner = inner }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    let result = try unsafe inner.read(into: target)
    if case .bytes(let count) = result {
      for place in 0..<count where unsafe target[place] == UInt8(ascii: "\r") {
        unsafe target[place] = UInt8(ascii: "\n")
      }
    }
    return result
  }

  /// Whether the beginning of a file is text that ends its lines so: a return that nothing but text
  /// stands before, and no line feed.
  static func isNeeded(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let place = unsafe bytes.firstIndex(of: UInt8(ascii: "\r")), place + 1 < bytes.count,
      unsafe !bytes.contains(UInt8(ascii: "\n"))
    else { return false }
    return unsafe bytes[..<place].allSatisfy { $0 >= 0x20 || $0 == 0x09 }
  }
}

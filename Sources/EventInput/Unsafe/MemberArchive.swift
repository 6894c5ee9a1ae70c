/// A file that holds files, read forward. Used by one thread at a time.
class MemberArchive {
  /// The next file with something to read, or `nil` at the end or where the archive is broken. What
  /// was left of the file before is skipped.
  func nextMember() throws -> (name: String, stream: ByteStream)? { nil }
}

import Testing

/// Raw memory is owned in few places, which a reader finds by their folders.
@Suite struct RawMemoryTests {
  /// Under strict memory safety the compiler wants one of these on each type with pointers in it.
  private static let owning = ["@safe ", "@unsafe "]

  @Test func `types that hold pointers stand in the folders Unsafe`() throws {
    var owners = 0
    for file in try SourceTree.swiftFiles(in: "Sources") {
      for (index, line) in file.lines.enumerated() where Self.owning.contains(where: line.contains)
      {
        owners += 1
        #expect(
          file.path.contains("/Unsafe/"),
          "\(file):\(index + 1): types that hold pointers stand in a folder Unsafe")
      }
    }
    #expect(owners > 0)
  }
}

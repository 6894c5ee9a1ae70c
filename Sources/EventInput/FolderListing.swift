#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The names in a folder.
struct FolderListing {
  /// By their bytes, without `.` and `..`.
  private(set) var names: [[UInt8]] = []
  /// Why there may be more of them.
  private(set) var failure: FileIdentity.Failure?

  init(_ folder: InputPath) {
    guard let directory = unsafe folder.orCurrent.withCString({ unsafe opendir($0) }) else {
      failure = FileIdentity.Failure(number: errno)
      return
    }
    defer { unsafe closedir(directory) }
    while true {
      // Only the number distinguishes the end from a failure.
      errno = 0
      guard let entry = unsafe readdir(directory) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { start in
          unsafe (0..<strlen(start)).map { unsafe UInt8(bitPattern: start[$0]) }
        }
      }
      if name != [46] && name != [46, 46] { names.append(name) }
    }
    if errno != 0 { failure = FileIdentity.Failure(number: errno) }
    names.sort { $0.lexicographicallyPrecedes($1) }
  }
}

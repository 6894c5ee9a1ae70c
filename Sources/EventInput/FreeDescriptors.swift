#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// File descriptors that the process may still open.
package enum FreeDescriptors {
  /// How many there are, counted up to a limit, and the system's reason where there are fewer.
  package static func count(upTo limit: Int) -> (count: Int, failure: FileIdentity.Failure?) {
    var taken: [Int32] = []
    defer { for descriptor in taken { close(descriptor) } }
    while taken.count < limit {
      let descriptor = unsafe open("/", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        return (taken.count, FileIdentity.Failure(number: errno))
      }
      taken.append(descriptor)
    }
    return (taken.count, nil)
  }

  /// Opens what is closed of the three standard descriptors, so that no file gets their numbers
  /// and messages go into it; writing to them then fails as if they were closed.
  package static func fillStandard() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open(descriptor == 0 ? "/dev/null" : "/", O_RDONLY)
    }
  }
}

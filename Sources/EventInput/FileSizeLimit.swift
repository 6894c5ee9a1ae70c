#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How large the system lets this process make a file (`ulimit -f`).
package enum FileSizeLimit {
  /// `nil` without a limit.
  package static var bytes: Int? {
    var limit = rlimit()
    #if canImport(Glibc)
      let read = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      let read = unsafe getrlimit(RLIMIT_FSIZE, &limit)
    #endif
    guard read == 0, limit.rlim_cur != rlim_t.max else { return nil }
    // Darwin's infinity is the largest signed number.
    return Int(exactly: limit.rlim_cur).flatMap { $0 == .max ? nil : $0 }
  }
}

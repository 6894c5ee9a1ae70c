import Foundation

/// What the system said, of the errors in which Foundation wraps it.
enum SystemReason {
  static func of(_ error: any Error) -> String {
    let outer = error as NSError
    let cause = outer.userInfo[NSUnderlyingErrorKey] as? NSError ?? outer
    guard cause.domain == NSPOSIXErrorDomain else { return cause.localizedDescription }
    return unsafe String(cString: strerror(Int32(truncatingIfNeeded: cause.code)))
  }
}

internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Why the system refused something, of the errors in which Foundation wraps that.
public enum SystemReason {
  /// The system's words, without those of the libraries around it.
  public static func of(_ error: any Error) -> String {
    if let pipe = error as? SmallFile.NamedPipe { return pipe.description }
    let outer = error as NSError
    let cause = outer.userInfo[NSUnderlyingErrorKey] as? NSError ?? outer
    if cause.domain == NSPOSIXErrorDomain { return words(Int32(truncatingIfNeeded: cause.code)) }
    guard cause.domain == NSCocoaErrorDomain, let number = numbers[cause.code] else {
      return cause.localizedDescription
    }
    return words(number)
  }

  private static func words(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

  /// What Foundation's numbers of errors stand for.
  private static let numbers: [Int: Int32] = [
    CocoaError.fileNoSuchFile.rawValue: ENOENT,
    CocoaError.fileReadNoSuchFile.rawValue: ENOENT,
    CocoaError.fileReadNoPermission.rawValue: EACCES,
    CocoaError.fileWriteNoPermission.rawValue: EACCES,
    CocoaError.fileWriteFileExists.rawValue: EEXIST,
    CocoaError.fileWriteOutOfSpace.rawValue: ENOSPC,
    CocoaError.fileWriteVolumeReadOnly.rawValue: EROFS,
    CocoaError.fileReadInvalidFileName.rawValue: ENAMETOOLONG,
    CocoaError.fileWriteInvalidFileName.rawValue: ENAMETOOLONG,
  ]
}

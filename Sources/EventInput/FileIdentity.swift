#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Which file a path or a descriptor leads to: the same for each of its names.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// Whether it is an ordinary file: no folder, link, pipe or device.
  package let isRegular: Bool
  package let isFolder: Bool
  /// Whether it is a pipe, from which nothing comes until somebody writes to it.
  package let isPipe: Bool
  /// The bits of its mode that say who may do what.
  package let permissions: UInt32
  /// The number of the user it belongs to.
  package let owner: UInt32

  package let isLink: Bool
  /// How many bytes it has.
  package let length: Int

  /// What a path leads to, or the link itself that stands there; `nil` where nothing can be found.
  package init?(at path: String, followingLinks: Bool = true) {
    guard case .success(let found) = Self.look(InputPath(path), followingLinks: followingLinks)
    else { return nil }
    self = found
  }

  /// Why nothing can be found at a path: the system's error number.
  package struct Failure: Error, Equatable {
    package let number: Int32

    package var message: String { systemMessage(number) }
  }

  /// What a path leads to, or the link itself that stands there.
  package static func look(
    _ path: InputPath, followingLinks: Bool = true
  ) -> Result<FileIdentity, Failure> {
    var status = stat()
    let result = unsafe path.withCString {
      unsafe followingLinks ? stat($0, &status) : lstat($0, &status)
    }
    return result == 0 ? .success(FileIdentity(status)) : .failure(Failure(number: errno))
  }

  /// The file behind an open descriptor.
  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isLink = status.st_mode & S_IFMT == S_IFLNK
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isPipe = status.st_mode & S_IFMT == S_IFIFO
    length = Int(truncatingIfNeeded: status.st_size)
    permissions = UInt32(status.st_mode & 0o777)
    owner = UInt32(status.st_uid)
  }

  package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.device == right.device && left.inode == right.inode
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(inode)
  }
}

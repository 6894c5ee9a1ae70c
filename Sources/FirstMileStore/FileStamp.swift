internal import CFirstMileOpenSSL
internal import EventInput
internal import Foundation

/// What distinguishes a file that is known already from a new one.
enum FileStamp {
  /// Device, inode, size, and the times of the last change; a file with the same stamp was not
  /// touched since. Of an object over the network its address, size and entity tag, where a listing
  /// gave them. `nil` for standard input.
  static func of(_ source: InputSource) -> (stamp: String, bytes: Int)? {
    if case .remote(let object) = source.kind, let (text, bytes) = object.stamp {
      return (text, bytes)
    }
    guard case .file(let path) = source.kind else { return nil }
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else {
      return nil
    }
    #if os(Linux)
      let (changed, touched) = (status.st_mtim, status.st_ctim)
    #else
      let (changed, touched) = (status.st_mtimespec, status.st_ctimespec)
    #endif
    let parts: [Int] = [
      Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
      Int(status.st_size), changed.tv_sec, changed.tv_nsec, touched.tv_sec, touched.tv_nsec,
    ]
    return (parts.map(String.init).joined(separator: ":"), Int(status.st_size))
  }

  /// SHA-256 of a file's bytes, in hexadecimal, as reading it would give; `nil` if unreadable.
  ///
  /// - Parameter first: of so many bytes at its beginning; of all if not given.
  static func digest(_ path: InputPath, first: Int = .max) -> String? {
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    _ = unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
    var left = first
    while let chunk = try? file.read(upToCount: min(1 << 20, left)), !chunk.isEmpty {
      left -= chunk.count
      _ = unsafe chunk.withUnsafeBytes {
        unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
      }
    }
    var value = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    _ = unsafe EVP_DigestFinal_ex(context, &value, &count)
    return hexadecimal(value.prefix(Int(count)))
  }

  /// SHA-256 of a text, in hexadecimal.
  static func digest(ofText text: String) -> String {
    var value = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let bytes = Array(text.utf8)
    _ = unsafe EVP_Digest(bytes, bytes.count, &value, &count, EVP_sha256(), nil)
    return hexadecimal(value.prefix(Int(count)))
  }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

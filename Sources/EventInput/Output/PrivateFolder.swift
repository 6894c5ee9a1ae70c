#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import Foundation

/// Folders of this process alone (mode 0700), for what is not finished yet.
package enum PrivateFolder {
  /// What comes after the beginning of a name, at most.
  package static let ending = "XXXXXX" + discarded
  private static let discarded = ".gone"

  /// Makes a folder whose name begins so; `nil`, with `errno`, where there is no writing.
  package static func make(_ beginning: String) -> String? {
    // mkdtemp wants six X at the end and puts a name of its own in their place.
    var template = Array("\(beginning)XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Takes a folder away with all that is in it, and keeps threads that still run from making more.
  package static func discard(_ folder: String) {
    // They may be about to make new files: under another name the folder gets none of them.
    let gone = folder + discarded
    guard unsafe rename(folder, gone) == 0 else { return }
    remove(gone)
  }

  /// Removes a folder that no thread writes to, or a file.
  package static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

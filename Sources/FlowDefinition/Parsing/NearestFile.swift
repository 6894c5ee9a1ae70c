internal import Foundation

/// Finds the file that a wrong path was probably meant to be.
public enum NearestFile {
  /// A path in the same folder with nearly the same name; `nil` where there is none.
  public static func of(_ path: String) -> String? {
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let known = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    let near = NearestSpelling.of(name, among: (known ?? []).sorted())
    return near.map { (folder as NSString).appendingPathComponent($0) }
  }
}

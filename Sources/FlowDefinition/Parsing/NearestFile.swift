internal import Foundation

/// Finds the file that a wrong path was probably meant to be.
public enum NearestFile {
  /// A path in the same folder with nearly the same name; `nil` where there is none.
  public static func of(_ path: String) -> String? {
    let folder = FolderOfPath.of(path)
    let known = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    let near = NearestSpelling.of(FolderOfPath.name(of: path), among: (known ?? []).sorted())
    return near.map { folder.isEmpty || folder == "/" ? folder + $0 : "\(folder)/\($0)" }
  }
}

internal import EventInput
internal import Foundation
internal import Timelines

/// The lines that could not be used, beside the store: `STORE-rejects/`, one file a source (mode
/// 0600, in a folder of mode 0700). They hold raw ids, which the store itself never does.
struct RejectsFolder: Sendable {
  let path: String

  init(store: String) { path = "\(store)-rejects" }

  /// Where a source's rejects stand once it is in.
  func file(digest: String) -> String { "\(path)/\(digest.prefix(32))-rejects.ndjson" }

  /// Makes the folder, and clears away what killed runs left in it.
  func prepare() throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.readOnly(path)
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      let parts = name.split(separator: "-")
      guard name.hasPrefix("reading-"), parts.count > 1, let process = Int32(parts[1]) else {
        continue
      }
      if kill(process, 0) != 0 && errno == ESRCH {
        try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
      }
    }
  }

  /// For one source that is being read.
  func writer(worker: Int) throws -> RejectWriter {
    try RejectWriter(path: aside(worker: worker))
  }

  /// Puts a source's rejects into place, without those of forgotten persons; where there are none,
  /// no file.
  func keep(
    _ writer: RejectWriter, of source: InputSource, digest: String, worker: Int,
    forgetting forgotten: ForgottenPersons, key: IdentifierKey
  ) throws {
    let size = try writer.finish(order: [source])
    if !forgotten.isEmpty {
      _ = try erase(
        aside(worker: worker), forgotten.users, devices: forgotten.wholeDevices, key: key)
    }
    let place = file(digest: digest)
    if size == 0 {
      unlink(aside(worker: worker))
      unlink(place)
    } else if rename(aside(worker: worker), place) != 0 {
      throw InputProblem(
        name: place, message: "cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  private func aside(worker: Int) -> String { "\(path)/reading-\(getpid())-\(worker)" }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// The rejects file: every line that could not be used, verbatim, with its place and the reason.
///
/// Each source writes a part of its own into a private folder beside the final path (mode 0700;
/// files 0600), so that nothing is held in memory and threads don't meet. `finish` puts the parts
/// together in the order of the sources and renames the whole into place: the file is the same
/// whatever the threads, and a killed run leaves the old one.
///
/// One record is one line: `{"file":…,"line":…,"reason":…,"detail":…,"text":…}`; `bytes_base64`
/// stands in place of `text` where the line is not valid UTF-8.
public final class RejectWriter: Sendable {
  private let path: String
  private let folder: String
  /// By which `UnfinishedFiles` knows it.
  private let number: Int
  private let parts = Mutex<[InputSource: [String]]>([:])
  private let nextPart = Mutex<Int>(0)

  /// Makes the private folder; throws an `InputProblem` if there is no writing there.
  public init(path: String) throws {
    self.path = path
    let aside = AsideName.of(path, ending: ".parts-" + PrivateFolder.ending)
    let beginning = String(aside.dropLast(PrivateFolder.ending.count))
    (folder, number) = try UnfinishedFiles.add {
      guard let folder = PrivateFolder.make(beginning) else {
        throw InputProblem(name: path, message: "cannot write here: \(systemMessage(errno))")
      }
      return (folder, { PrivateFolder.discard(folder) })
    }
  }

  deinit {
    removeParts()
    UnfinishedFiles.remove(number)
  }

  /// The part of one source; its file is made at the first reject.
  func part(of source: InputSource) -> RejectPart {
    let number = nextPart.withLock { number in
      number += 1
      return number
    }
    let file = "\(folder)/\(number)"
    parts.withLock { $0[source, default: []].append(file) }
    return RejectPart(path: file)
  }

  /// Writes the final file from the parts of these sources, in this order, and returns its size in
  /// bytes. Call it once, after the last scan.
  @discardableResult
  public func finish(order sources: [InputSource]) throws -> Int {
    let aside = "\(folder)/all"
    let parts = parts.withLock { $0 }
    var total = 0
    do {
      let output = try RawOutput(path: aside)
      for source in sources {
        for part in parts[source] ?? [] { total += try output.append(contentsOf: part) }
      }
      try output.close()
    }
    guard unsafe rename(aside, path) == 0 else {
      throw InputProblem(name: path, message: "cannot be written: \(systemMessage(errno))")
    }
    removeParts()
    return total
  }

  /// Takes the private folder away, for a run that fails; nothing can be written after it.
  public func discard() { PrivateFolder.discard(folder) }

  private func removeParts() {
    let files = parts.withLock { parts in
      defer { parts = [:] }
      return parts.values.flatMap { $0 }
    }
    for file in files { unsafe unlink(file) }
    unsafe unlink("\(folder)/all")
    unsafe rmdir(folder)
  }
}

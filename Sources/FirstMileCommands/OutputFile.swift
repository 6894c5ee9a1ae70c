import EventInput
import FirstMileStore
import FlowDefinition
import Foundation

/// A file that a command writes, had from `CommandFiles`. A link is followed.
struct OutputFile: Sendable {
  /// What common file systems take for one name.
  private static let maximumNameBytes = 255

  /// As the user named it.
  let given: String
  /// Where the file really lies.
  let path: String
  private let option: String
  private let files: CommandFiles

  fileprivate init(given: String, option: String, files: CommandFiles) throws(CommandError) {
    if given == "-" || given.isEmpty {
      throw CommandError("\(option) needs a file to write to, found '\(given)'")
    }
    (self.given, self.option, self.files) = (given, option, files)
    path = RealPlace(given).path
    // Found now and not after hours of reading.
    let bytes = path.utf8.count - FolderOfPath.of(path).utf8.count - 1
    if bytes > OutputFile.maximumNameBytes {
      throw CommandError(
        "\(option) '\(given)': the file's name would have \(bytes) bytes; at most "
          + "\(OutputFile.maximumNameBytes) are allowed")
    }
  }

  /// Adds to the end of what is there, in place: a runner may hand over a file that must stay the
  /// one it is.
  ///
  /// - Throws: `CommandError` if it can't be written.
  func append(_ text: String) throws(CommandError) {
    try written { () throws(any Error) in
      try refuseStore()
      try files.confirm(given, as: option)
      let file = try RawOutput(appendingTo: path)
      try unsafe Array(text.utf8).withUnsafeBytes { try unsafe file.append($0) }
      try file.close()
    }
  }

  /// Replaces what is there: a run that is killed leaves the old file whole.
  ///
  /// - Parameter isPrivate: whether only the owner may read it.
  /// - Throws: `CommandError` if it can't be written.
  func replace(isPrivate: Bool = false, with text: String) throws(CommandError) {
    try written { () throws(any Error) in
      try put(isPrivate: isPrivate) { try $0.write(Array(text.utf8)) }
    }
  }

  /// Replaces what is there by what `body` writes, or leaves it as it is where `body` throws.
  ///
  /// - Parameter isPrivate: whether only the owner may read it.
  /// - Throws: `CommandError` if it can't be written; what else `body` throws, since that may be
  ///   about what it reads.
  func replace(isPrivate: Bool = false, _ body: (Replacement) throws -> Void) throws {
    do {
      try put(isPrivate: isPrivate, body)
    } catch let problem as InputProblem {
      throw CommandError("'\(given)' \(problem.message)")
    }
  }

  private func put(isPrivate: Bool, _ body: (Replacement) throws -> Void) throws {
    let file = try Replacement(of: path, isPrivate: isPrivate)
    do {
      try body(file)
      try file.close()
      try confirm()
      try file.putInPlace()
      // Known as this output's from here on.
      try confirm()
    } catch {
      file.discard()
      throw error
    }
  }

  /// Tries whether there is writing here, before hours of reading: makes the file beside its place
  /// and removes it.
  ///
  /// - Throws: `CommandError` if it can't be written.
  func tryOut() throws(CommandError) {
    try written { () throws(any Error) in
      try requireRegular()
      try Replacement(of: path).discard()
    }
  }

  /// Asks again whether the file may be replaced.
  func confirm() throws(CommandError) {
    try requireRegular()
    try files.confirm(given, as: option)
  }

  /// - Throws: `CommandError` where something else stands than a file.
  func requireRegular() throws(CommandError) {
    if let file = FileIdentity(at: path), !file.isRegular {
      throw CommandError("'\(given)' is no regular file and can't be replaced by one")
    }
    try refuseStore()
  }

  /// Also a store that this run does not read: its dumps may be gone.
  private func refuseStore() throws(CommandError) {
    guard FileIdentity(at: path)?.isRegular == true, FactStore.lies(at: path) else { return }
    throw CommandError("'\(given)' is a store, and \(option) would replace it; name another file")
  }

  private func written(_ body: () throws -> Void) throws(CommandError) {
    do {
      try body()
    } catch let error as CommandError {
      throw error
    } catch let problem as InputProblem {
      throw CommandError("'\(given)' \(problem.message)")
    } catch {
      throw CommandError("'\(given)' can't be written: \(error)")
    }
  }
}

extension CommandFiles {
  /// A file that the command writes.
  ///
  /// - Parameters:
  ///   - option: how the user named it, such as `--junit`.
  ///   - isAppended: the file is added to, and may be a pipe.
  /// - Throws: `CommandError` where it is also an input, or another output.
  func write(
    _ path: String, as option: String, isAppended: Bool = false
  ) throws(CommandError) -> OutputFile {
    let file = try OutputFile(given: path, option: option, files: self)
    if !isAppended { try file.requireRegular() }
    try confirm(path, as: option)
    return file
  }
}

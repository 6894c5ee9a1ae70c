import EventInput
import FlowDefinition
import Foundation
import Synchronization

/// The files of one command: what it reads, and what it writes.
///
/// A command names its inputs and its outputs here before it works, in any order. No file may be
/// both, and no two outputs may be one file. Files are identified by device and inode, so that
/// neither links nor hard links lead around it, and those that are not there yet by their place.
/// `OutputFile` can be had only from here; it and `ReportsAside` ask again before they replace.
final class CommandFiles: Sendable {
  /// What a file is to the command, in words such as `--junit` or `the gate file`.
  private struct Role {
    var words: String
    var path: String
    var isOutput: Bool
    /// Whether it was handed over open, without a path.
    var isStream = false
    /// Where it lies, as the system has it.
    var location = InputPath("")

    /// Which file lies there now.
    var file: FileIdentity? { try? FileIdentity.look(location).get() }
  }

  private struct Roles {
    var byFile: [FileIdentity: Role] = [:]
    var byPlace: [RealPlace: Role] = [:]
    /// Folders in which nothing may be written; they need not be there.
    var closedFolders: [Role] = []
  }

  private let roles = Mutex(Roles())

  init() {
    for (descriptor, words) in [(1, "standard output"), (2, "standard error")] {
      note(
        descriptor: Int32(descriptor),
        Role(words: words, path: words, isOutput: true, isStream: true))
    }
  }

  /// Names an input; one that is not there is fine.
  ///
  /// - Throws: `CommandError` where it is also an output, or is read whole and can't be.
  func read(_ path: String, as words: String) throws(CommandError) {
    try add(Role(words: words, path: path, isOutput: false))
    // Flow files have a reader of their own that asks.
    if words == Self.input || words == Self.flowFile { return }
    if SmallFile.isNamedPipe(path) {
      throw CommandError(
        "\(words) '\(path)' is a pipe; write what comes from it to a file and name that")
    }
    if FileIdentity(at: path)?.isFolder == true {
      throw CommandError("\(words) '\(path)' is a folder; name a file")
    }
  }

  /// What is read from its beginning to its end as it comes, also from a pipe.
  private static let input = "an input"
  private static let flowFile = "the flow file"

  /// Names the dumps that are read.
  func read(_ sources: [InputSource]) throws(CommandError) {
    for source in sources {
      switch source.kind {
      case .file(let path):
        try add(Role(words: "an input", path: source.name, isOutput: false), at: path)
      // Nothing that is written here can be the same.
      case .remote, .memory: continue
      case .standardInput:
        guard let file = FileIdentity(descriptor: 0), file.isRegular else { continue }
        let role = Role(
          words: "standard input", path: "-", isOutput: false, isStream: true)
        try roles.withLock { roles throws(CommandError) in
          try CommandFiles.check(role, against: roles.byFile[file])
          roles.byFile[file] = role
        }
      }
    }
  }

  /// Names flow files; built-in flows have none.
  func read(flows: [String]) throws(CommandError) {
    for flow in flows where FlowFile.builtInText(flow) == nil {
      try read(flow, as: Self.flowFile)
    }
  }

  /// Names the store, the files SQLite keeps beside it, and the folder of its rejected lines.
  ///
  /// - Parameter isOutput: whether facts are added to it.
  func use(store path: String, isOutput: Bool = false) throws(CommandError) {
    try add(Role(words: "the store", path: path, isOutput: isOutput))
    for place in Set([path, RealPlace(path).path]).sorted() {
      for suffix in ["-wal", "-shm", "-journal"] {
        try add(Role(words: "a part of the store", path: place + suffix, isOutput: isOutput))
      }
      try close(
        Role(
          words: "the store's folder of rejected lines", path: "\(place)-rejects", isOutput: false))
    }
  }

  /// Lets nothing be written into a folder, nor in its place.
  private func close(_ folder: Role) throws(CommandError) {
    let place = RealPlace(folder.path)
    try roles.withLock { roles throws(CommandError) in
      for (output, role) in roles.byPlace where role.isOutput && output.isWithin(place) {
        try CommandFiles.check(role, against: folder)
      }
      roles.closedFolders.append(folder)
    }
  }

  /// A folder in which the command writes files with these names.
  func write(folder: String, names: [String], as option: String) throws(CommandError) {
    try add(Role(words: option, path: folder, isOutput: true))
    for name in names {
      try add(Role(words: option, path: "\(folder)/\(name)", isOutput: true))
    }
  }

  /// Names an output, or asks again about one right before it is replaced: another file may lie
  /// there by now.
  func confirm(_ path: String, as option: String) throws(CommandError) {
    try add(Role(words: option, path: path, isOutput: true))
  }

  private func add(_ given: Role, at path: InputPath? = nil) throws(CommandError) {
    var role = given
    role.location = path ?? InputPath(role.path)
    if role.isOutput && !InputPath.isUTF8(argument: role.path) {
      throw CommandError("\(role.words) '\(role.path)': the name of what is written must be UTF-8")
    }
    let place = RealPlace(role.path)
    let file = role.file
    try roles.withLock { roles throws(CommandError) in
      // The number of a file that was replaced meanwhile may belong to another by now.
      if let file, let old = roles.byFile[file], old.isStream || FileIdentity(at: old.path) == file
      {
        try CommandFiles.check(role, against: old)
      }
      try CommandFiles.check(role, against: roles.byPlace[place])
      if role.isOutput {
        // Asked anew each time, for the folder may have been made meanwhile.
        for folder in roles.closedFolders where place.isWithin(RealPlace(folder.path)) {
          try CommandFiles.check(role, against: folder)
        }
      }
      if let file { roles.byFile[file] = role }
      roles.byPlace[place] = role
    }
  }

  private func note(descriptor: Int32, _ role: Role) {
    guard let file = FileIdentity(descriptor: descriptor), file.isRegular else { return }
    roles.withLock { $0.byFile[file] = role }
  }

  private static func check(_ new: Role, against old: Role?) throws(CommandError) {
    guard let old, old.isOutput || new.isOutput else { return }
    // One output asked about again, or files of one option, which have names of their own.
    if old.isOutput && new.isOutput && old.words == new.words { return }
    let (output, other) = new.isOutput ? (new, old) : (old, new)
    let what = output.path == output.words ? output.words : "\(output.words) '\(output.path)'"
    let isPlain = other.path == other.words || other.path == output.path || other.path == "-"
    let name = isPlain ? other.words : "\(other.words) '\(other.path)'"
    throw CommandError(
      other.isOutput
        ? "\(what) and \(name) are the same file; name two"
        : "\(what) would replace \(name), which is read; name another file")
  }
}

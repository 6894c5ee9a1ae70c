internal import EventInput
internal import Foundation

extension RejectsFolder {
  /// Takes the lines that name a forgotten person out of all files.
  ///
  /// - Returns: how many lines were taken out.
  func erase(_ search: RejectSearch) throws -> Int {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw StoreError.other(path, "can't be listed: rejected lines may be left in it")
    }
    var erased = 0
    for name in names.sorted() where name.hasSuffix("-rejects.ndjson") {
      erased += try erase("\(path)/\(name)", search)
    }
    return erased
  }

  /// Takes such lines out of one file, which is written aside and renamed.
  func erase(_ file: String, _ search: RejectSearch) throws -> Int {
    if search.isEmpty { return 0 }
    guard let data = FileManager.default.contents(atPath: file) else {
      throw StoreError.other(file, "can't be read: rejected lines may be left in it")
    }
    if data.isEmpty { return 0 }
    let lines = data.split(separator: UInt8(ascii: "\n"))
    let kept = lines.filter { !search.finds(in: RejectsFolder.rejected($0)) }
    if kept.count == lines.count { return 0 }
    var text: [UInt8] = []
    for line in kept {
      text += line
      text.append(UInt8(ascii: "\n"))
    }
    do {
      // In a folder that goes with its process: a killed one leaves no lines with raw ids.
      let folder = try UnfinishedFolder(in: path)
      let aside = "\(folder.path)/kept"
      let output = try RawOutput(path: aside)
      try unsafe text.withUnsafeBytes { try unsafe output.append($0) }
      try output.close()
      try move(aside, to: file)
    } catch let problem as InputProblem {
      throw StoreError.other(file, problem.message)
    }
    return lines.count - kept.count
  }

  /// The line that a record is about; the record itself where it is broken.
  private static func rejected(_ record: Data) -> [UInt8] {
    struct Record: Decodable {
      var text: String?
      var bytes_base64: String?
    }
    let read = try? JSONDecoder().decode(Record.self, from: record)
    if let text = read?.text { return Array(text.utf8) }
    return [UInt8](read?.bytes_base64.flatMap { Data(base64Encoded: $0) } ?? record)
  }
}

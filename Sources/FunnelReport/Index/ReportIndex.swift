public import Foundation
internal import ReportText

/// The reports of one folder: of several flows, and of a flow's days.
public struct ReportIndex: Sendable {
  /// The bytes are not an `index.json` that this program wrote.
  public struct NoIndex: Error {}

  static let schema = "firstmile/index/1"
  /// The names of the files that an index consists of.
  public static let documentNames = ["index.html", "index.json"]

  private struct File: Codable {
    var schema: String
    var reports: [IndexEntry]
  }

  /// By flow, then by day; without a day last.
  public private(set) var entries: [IndexEntry] = []
  let programVersion: String

  /// An index without a report.
  public init(programVersion: String) { self.programVersion = programVersion }

  /// Takes over what an earlier `index.json` knows.
  ///
  /// - Throws: ``NoIndex`` where the bytes are something else.
  public init(json: Data, programVersion: String) throws(NoIndex) {
    self.programVersion = programVersion
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let file = try? decoder.decode(File.self, from: json),
      file.schema == ReportIndex.schema
    else { throw NoIndex() }
    for entry in file.reports { add(entry) }
  }

  /// Adds a report, in the place of an earlier one in the same folder.
  public mutating func add(_ entry: IndexEntry) {
    entries.removeAll { $0.folder == entry.folder }
    entries.append(entry)
    entries.sort { left, right in
      left.flow != right.flow
        ? ByteOrder.precedes(left.flow, right.flow)
        : ByteOrder.precedes(left.day ?? "~", right.day ?? "~")
    }
  }

  /// Drops reports that are not there any more.
  public mutating func keep(where isThere: (IndexEntry) -> Bool) {
    entries = entries.filter(isThere)
  }

  /// The reports of one flow, in order.
  func entries(of flow: String) -> [IndexEntry] { entries.filter { $0.flow == flow } }

  /// The last report of each flow: first those with unreliable data, then those that miss targets,
  /// then those with a decision to take; among these, the lowest completion first.
  var latest: [IndexEntry] {
    var last: [String: IndexEntry] = [:]
    for entry in entries { last[entry.flow] = entry }
    return last.values.sorted { left, right in
      if left.urgency != right.urgency { return left.urgency < right.urgency }
      let (one, other) = (left.rates.first?.value ?? 2, right.rates.first?.value ?? 2)
      return one != other ? one < other : ByteOrder.precedes(left.flow, right.flow)
    }
  }

  /// Both files.
  public func documents() -> [Document] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let file = File(schema: ReportIndex.schema, reports: entries)
    let json = (try? encoder.encode(file)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    return [
      Document(name: "index.html", text: IndexPage(self).text()),
      Document(name: "index.json", text: json + "\n"),
    ]
  }
}

extension IndexEntry {
  /// From 0, what needs a reader first.
  var urgency: Int {
    if ["D", "F"].contains(grade) { return 0 }
    if (targets?.missed ?? 0) > 0 { return 1 }
    return isReady ? 2 : 3
  }
}

extension ReportIndex {
  /// A page that leads on to another, for links that stay.
  ///
  /// - Parameter address: relative, of letters, digits and `-./` only.
  public static func forwarding(to address: String) -> String {
    let target = Markup.escaped(address)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
      <meta http-equiv="refresh" content="0; url=\(target)">
      <title>The latest report</title>
      </head>
      <body>
      <main><h1>The latest report</h1><p><a href="\(target)">\(target)</a></p></main>
      </body>
      </html>

      """
  }
}

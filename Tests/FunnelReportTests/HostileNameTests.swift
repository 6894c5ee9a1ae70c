import FlowDefinition
import Foundation
@testable import FunnelEngine
import FunnelMetrics
import FunnelReport
import ReportText
import Testing

@Suite("Names from events can do no harm")
struct HostileNameTests {
  static let names = [
    "=HYPERLINK(\"http://x\",\"y\")", "+1", "-1+2", "@SUM(A1)", "  =1", "\t=1", "\r=1", "＝1",
    "quote\"d, and comma", "two\nlines", "\u{1B}[31mred\u{1B}[0m", "\u{1B}]0;title\u{07}x",
    "\u{9B}2J", "bell\u{07}", String(repeating: "long ", count: 100), "👨‍👩‍👧 family",
    "مرحبا\u{202E}txt", "e" + String(repeating: "\u{0301}", count: 5000), "\u{2028}line", "",
    "marked\"\u{0301} quote,\u{0301} comma", "=\u{0301}1",
  ]

  /// A report with the name wherever events can put one.
  private func report(_ name: String) throws -> Report {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    demo.add(
      .init(
        count: 5, variant: .assigned(name), outcome: .finished, viewed: [0, 1, 2, 3], os: name))
    demo.add(
      .init(count: 7, variant: .assigned("long"), outcome: .abandoned, viewed: [0], os: name))
    demo.setQuality { $0.undeclaredPages = [name: 3] }
    var provenance = DemoReport.provenance()
    provenance.sources[0].name = name
    provenance.sources[0].problems = [name]
    return Report(Analysis(of: demo.tally, flow), provenance: provenance)
  }

  @Test(arguments: names)
  func `spreadsheets get text`(_ name: String) throws {
    for document in try report(name).documents() where document.name.hasSuffix(".csv") {
      let rows = try CSVReader.rows(document.text)
      let width = try #require(rows.first).count
      for row in rows {
        #expect(row.count == width, "\(document.name): \(row)")
        for cell in row where Double(cell) == nil {
          let first = cell.unicodeScalars.first { $0 != " " } ?? "x"
          #expect(!"=+-@＝＋－＠".unicodeScalars.contains(first), "\(cell)")
          #expect(cell.count <= 300 && cell.utf8.count < 4000)
          #expect(cell.unicodeScalars.allSatisfy(isPrintable), "\(cell)")
        }
      }
    }
  }

  @Test(arguments: names)
  func `a line of cells is read back as so many`(_ name: String) throws {
    let rows = try CSVReader.rows(CSVText.line(["a", name, "b"]))
    #expect(rows.count == 1 && rows.first?.count == 3)
  }

  @Test(arguments: names)
  func `terminals get no codes and no long lines`(_ name: String) throws {
    let text = try report(name).terminalSummary(style: TerminalStyle())
    for line in text.split(separator: "\n") {
      #expect(line.unicodeScalars.allSatisfy(isPrintable))
      #expect(columns(line) <= 80, "\(line)")
    }
  }

  @Test(arguments: names)
  func `JSON keeps the name whole`(_ name: String) throws {
    let documents = try report(name).documents()
    let json = try #require(documents.first { $0.name == "metrics.json" })
    #expect(json.text.unicodeScalars.allSatisfy { $0 == "\n" || isPrintable($0) })
    let value = try JSONSerialization.jsonObject(with: Data(json.text.utf8))
    let top = try #require(value as? [String: Any])
    let metrics = try #require(top["metrics"] as? [String: Any])
    let rows = try #require(metrics["rows"] as? [[String: Any]])
    #expect(rows.contains { $0["variant"] as? String == name })
    #expect(rows.contains { $0["breakdown"] as? String == "os=\(name)" })
  }

  private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F: false
    default: true
    }
  }
}

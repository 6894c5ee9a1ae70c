import Foundation
import Testing

@testable import EventInput

@Suite("Containers with a byte too few or too many")
struct ContainerDamageTests {
  static let items = (0..<6).map { number in
    #"{"event": "a\"]{", "user_id": "u\#(number)", "p": {"tags": ["x", "y"], "l": [{"n": 1}, {}]}}"#
  }

  /// How the items are packed, and which text stands before the first one.
  struct Shape: CustomTestStringConvertible {
    var name: String
    var opening = ""
    var text: String
    var testDescription: String { name }
  }

  static let shapes: [Shape] = {
    let (lines, indented) = (items, items.map { indent($0, by: "    ") })
    let page = { (part: ArraySlice<String>) in
      "{\n  \"results\": [\n    " + part.joined(separator: ",\n    ") + "\n  ],\n  \"next\": 1\n}\n"
    }
    return [
      Shape(name: "array", opening: "[", text: "[" + lines.joined(separator: ",") + "]"),
      Shape(
        name: "array by lines", opening: "[",
        text: "[\n  " + lines.joined(separator: ",\n  ") + "\n]\n"),
      Shape(
        name: "indented array", opening: "[",
        text: "[\n    " + indented.joined(separator: ",\n    ") + "\n]\n"),
      Shape(
        name: "wrapper", opening: #"{"results": ["#,
        text: #"{"results": ["# + lines.joined(separator: ", ") + #"], "next": {"a": [1]}}"#),
      Shape(
        name: "wrapper by lines", opening: "{\n\"results\": [",
        text: "{\n\"results\": [\n" + lines.joined(separator: ",\n") + "\n],\n\"next\": null}\n"),
      Shape(name: "indented wrapper", opening: "{\n  \"results\": [", text: page(indented[...])),
      Shape(
        name: "indented wrappers", opening: "{\n  \"results\": [",
        text: page(indented[..<3]) + page(indented[3...])),
      Shape(
        name: "wrappers on lines", opening: #"{"results": ["#,
        text: [lines[..<3], lines[3...]].map {
          #"{"results": ["# + $0.joined(separator: ", ") + "]}\n"
        }.joined()),
      Shape(name: "indented objects", text: indented.joined(separator: "\n")),
      Shape(name: "indented objects, joined", opening: "{", text: indented.joined()),
      Shape(name: "objects on one line", opening: "{", text: lines.joined(separator: " ")),
      Shape(
        name: "indented envelopes", opening: "[",
        text: "[\n  "
          + indented.map { "{\n    \"_airbyte_raw_id\": \"1\",\n    \"_airbyte_data\": \($0)\n  }" }
          .joined(separator: ",\n  ") + "\n]\n"),
    ]
  }()

  /// Puts each member and item on a line of its own.
  static func indent(_ item: String, by margin: String) -> String {
    var depth = 0
    var isInString = false
    var result = ""
    for part in item.replacingOccurrences(of: "\\\"", with: "\u{1}") {
      if part == "\"" { isInString.toggle() }
      if isInString || !"{}[],".contains(part) {
        if part != " " { result.append(part) }
        continue
      }
      if "}]".contains(part) { depth -= 1 } else if "{[".contains(part) { depth += 1 }
      let line = "\n" + margin + String(repeating: "  ", count: depth)
      result += "}]".contains(part) ? line + String(part) : String(part) + line
    }
    return result.replacingOccurrences(of: "\u{1}", with: "\\\"")
  }

  /// Bytes in reads of a fixed size.
  final class Reads: ByteStream {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    override func read(into target: UnsafeMutableRawBufferPointer) -> ReadResult {
      let part = rest.prefix(min(target.count, 97))
      part.withUnsafeBytes { target.copyMemory(from: $0) }
      rest = rest.dropFirst(part.count)
      return part.isEmpty ? .end : .bytes(part.count)
    }
  }

  /// The lines that come of a file without their white space, and what was said of it.
  static func lines(of bytes: [UInt8]) throws -> (lines: [String], damages: [InputDamage]) {
    let log = DamageLog()
    var output: [UInt8] = []
    let finding = bytes.withUnsafeBytes { EventContainer.detect($0, isWhole: true) }
    if case .container(let container) = finding {
      let known = min(512, bytes.count)
      let stream = bytes[..<known].withUnsafeBytes {
        ContainerStream(Reads(bytes[known...]), after: $0, then: nil, container, log: log) { 1 }
      }
      var buffer = [UInt8](repeating: 0, count: 512)
      while true {
        let result = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
        if result == .end { break }
        if case .bytes(let count) = result { output += buffer[..<count] }
      }
    } else {
      output = bytes
    }
    let lines = output.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self)
    }
    return (lines.filter { !$0.isEmpty }, log.damages)
  }

  static func structuralPlaces(_ bytes: [UInt8], from start: Int) -> [Int] {
    var isInString = false
    var isEscaped = false
    return bytes.indices.filter { place in
      let byte = bytes[place]
      let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
      isEscaped = isInString && !isEscaped && byte == UInt8(ascii: "\\")
      if isQuote { isInString.toggle() }
      return place >= start && (isQuote || !isInString && "{}[],:".utf8.contains(byte))
    }
  }

  @Test(arguments: shapes)
  func `a structural byte that is missing or doubled costs one item`(_ shape: Shape) throws {
    let wanted = Set(Self.items.map { $0.filter { $0 != " " } })
    let bytes = Array(shape.text.utf8)
    #expect(Set(try Self.lines(of: bytes).lines).isSuperset(of: wanted))
    for place in Self.structuralPlaces(bytes, from: shape.opening.utf8.count) {
      for isDoubled in [false, true] {
        var broken = bytes
        if isDoubled {
          broken.insert(bytes[place], at: place)
        } else {
          broken.remove(at: place)
        }
        let (lines, damages) = try Self.lines(of: broken)
        let lost = wanted.subtracting(lines).count
        let rejects = lines.filter { !wanted.contains($0) }.count
        func what() -> Comment { "\(isDoubled ? "doubled" : "missing") at \(place): \(lines)" }
        #expect(lost <= Self.mostLost(shape, bytes, place), what())
        // What is lost is kept as a reject, or said to be damage.
        #expect(lost == 0 || rejects > 0 || !damages.isEmpty, what())
        #expect(rejects <= 4, what())
      }
    }
  }

  /// One item; a wrapper's own opening costs the items in it.
  private static func mostLost(_ shape: Shape, _ bytes: [UInt8], _ place: Int) -> Int {
    guard shape.name.contains("wrappers") else { return 1 }
    let second = shape.text.utf8.count / 2
    let isOpening = abs(place - second) < 60
    return isOpening ? 3 : 1
  }

  @Test func `an opening that every item has is found behind a broken first item`() {
    let text = #"[{event": 1}, {"event": 2, "l": [{"x": 1}, {"x": 2}]}, {"event": 3}]"#
    var openings = ItemOpenings()
    let items = Array(text.utf8).withUnsafeBytes { openings.survey($0) }
    #expect(items == 1)
    #expect(openings.known == [Array(#"{"event":"#.utf8)])
  }

  @Test func `objects at the root without a list stand for themselves`() {
    let text = "{\n \"results\": [{\"a\":1}]\n}\n{\"event\": \"b\",\n \"x\": [1]}"
    var walker = ContainerWalker(.lists())
    var output: [UInt8] = []
    Array(text.utf8).withUnsafeBytes { walker.take($0, into: &output) }
    #expect(
      String(decoding: output, as: UTF8.self)
        == "{\"a\":1}\n{\"event\": \"b\",  \"x\": [1]}\n")
  }
}

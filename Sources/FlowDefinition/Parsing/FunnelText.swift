/// Reads a funnel from one line, as it is typed at a terminal:
///
///     onboarding_started > page_viewed[page_name=welcome|plan, os=iOS] > a or b > stack_created?
///
/// Steps are parted by `>`, events of which any will do by `or`, values by `|`; a question mark
/// makes a step optional. Names with spaces or signs stand in double quotes.
public struct FunnelText {
  private let characters: [Character]
  private var place = 0

  private init(_ text: String) { characters = Array(text) }

  /// - Throws: `FunnelTextError` with the place of what can't be read.
  public static func steps(_ text: String) throws(FunnelTextError) -> [FunnelStep] {
    var reader = FunnelText(text)
    var steps: [FunnelStep] = []
    repeat { steps.append(try reader.step()) } while reader.take(">")
    reader.skipSpace()
    guard reader.place == reader.characters.count else {
      throw reader.error("expected '>' and another step")
    }
    if steps.first?.isOptional == true {
      throw FunnelTextError(
        text: text, column: 1, message: "the first step can't be optional: it is the entry")
    }
    return steps
  }

  /// One event with its conditions, as for an exclusion.
  public static func pattern(_ text: String) throws(FunnelTextError) -> EventPattern {
    var reader = FunnelText(text)
    let pattern = try reader.pattern()
    reader.skipSpace()
    guard reader.place == reader.characters.count else {
      throw reader.error("expected the end after one event")
    }
    return pattern
  }

  private mutating func step() throws(FunnelTextError) -> FunnelStep {
    var events = [try pattern()]
    while takeWord("or") { events.append(try pattern()) }
    return FunnelStep(anyOf: events, isOptional: take("?"))
  }

  private mutating func pattern() throws(FunnelTextError) -> EventPattern {
    let event = try name("an event's name", stops: "[]>?=,|\"")
    var conditions: [PropertyCondition] = []
    if take("[") {
      repeat { conditions.append(try condition()) } while take(",")
      guard take("]") else { throw error("expected ']' after the conditions") }
    }
    return EventPattern(event: event, conditions: conditions)
  }

  private mutating func condition() throws(FunnelTextError) -> PropertyCondition {
    let property = try name("a property's name", stops: "[]>?=,|\"")
    guard take("=") else { throw error("expected '=' after the property") }
    var values: [String] = []
    repeat { values.append(try name("a value", stops: "[],|\"")) } while take("|")
    return PropertyCondition(property: property, values: values)
  }

  private mutating func name(_ what: String, stops: String) throws(FunnelTextError) -> String {
    skipSpace()
    if take("\"") {
      var text = ""
      while place < characters.count, characters[place] != "\"" {
        text.append(characters[place])
        place += 1
      }
      guard take("\"") else { throw error("expected '\"' at the end of \(what)") }
      if text.isEmpty { throw error("\(what) is empty") }
      return text
    }
    var text = ""
    while place < characters.count, !stops.contains(characters[place]) {
      // A blank ends a name only before the word `or`.
      if characters[place] == " ", startsWord("or", at: place + 1) { break }
      text.append(characters[place])
      place += 1
    }
    while text.last == " " { text.removeLast() }
    if text.isEmpty { throw error("expected \(what)") }
    return text
  }

  private func startsWord(_ word: String, at start: Int) -> Bool {
    let end = start + word.count
    guard end < characters.count, String(characters[start..<end]) == word else { return false }
    return characters[end] == " "
  }

  private mutating func takeWord(_ word: String) -> Bool {
    skipSpace()
    guard startsWord(word, at: place) else { return false }
    place += word.count
    return true
  }

  private mutating func take(_ character: Character) -> Bool {
    skipSpace()
    guard place < characters.count, characters[place] == character else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while place < characters.count, characters[place] == " " { place += 1 }
  }

  private func error(_ message: String) -> FunnelTextError {
    FunnelTextError(text: String(characters), column: place + 1, message: message)
  }
}

/// A funnel that can't be read, with the place.
public struct FunnelTextError: Error, Hashable, CustomStringConvertible {
  /// The funnel as it was given.
  public var text: String
  /// Counted from 1.
  public var column: Int
  /// What was found and what is allowed.
  public var message: String

  /// What is wrong, and below it the funnel with a mark at the place.
  public var description: String {
    "\(message), at column \(column) of:\n  \(text)\n  "
      + String(repeating: " ", count: column - 1) + "^"
  }
}

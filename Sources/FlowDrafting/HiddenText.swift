internal import FlowDefinition

/// Names from events in a line for people: nothing in them ends the line or shows another text.
enum HiddenText {
  static func shown(_ name: String) -> String {
    HiddenScalars.escaped(String(String.UnicodeScalarView(name.unicodeScalars.prefix(80))))
  }
}

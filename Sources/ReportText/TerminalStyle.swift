/// How text is laid out for a terminal. The caller asks the terminal; nothing here does.
public struct TerminalStyle: Sendable, Hashable {
  /// Columns of a line; less than 80 is taken as 80.
  public var width: Int
  /// Whether ANSI colours may be used. Without them no escape code is in the text.
  public var color: Bool

  /// Lays text out for a terminal of this width; plain unless `color` is set.
  public init(width: Int = 80, color: Bool = false) {
    self.width = width
    self.color = color
  }
}

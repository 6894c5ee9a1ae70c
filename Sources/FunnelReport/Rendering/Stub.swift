public struct Document: Sendable {
  public let name: String
  public let text: String
}
public struct TerminalStyle: Sendable {
  public init(width: Int, color: Bool) {}
}
extension Report {
  public func documents() -> [Document] { [] }
  public func terminalSummary(style: TerminalStyle) -> String { "" }
}

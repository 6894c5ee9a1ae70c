/// The places in events whose values are dropped on reading, as dotted paths from the root.
public struct RedactedPaths: Sendable, Hashable {
  /// Whose value is dropped, whatever it is.
  private let values: Set<String>
  /// Inside of which everything is dropped.
  private let containers: Set<String>

  public static let none = RedactedPaths([])

  /// - Parameter texts: as the flow file has them; `.*` at the end means everything inside.
  public init(_ texts: some Sequence<String>) {
    let texts = Set(texts)
    containers = Set(texts.filter { $0.hasSuffix(".*") }.map { String($0.dropLast(2)) })
    values = texts.filter { !$0.hasSuffix(".*") }
  }

  public var isEmpty: Bool { values.isEmpty && containers.isEmpty }

  /// Whether the value at a path is dropped, by itself or with an object that it lies in.
  public func covers(_ path: String) -> Bool {
    if isEmpty { return false }
    if values.contains(path) { return true }
    for index in path.utf8.indices where path.utf8[index] == UInt8(ascii: ".") {
      let container = String(path[..<index])
      if values.contains(container) || containers.contains(container) { return true }
    }
    return false
  }

  /// Whether an object or list at a path is dropped, by itself or as what is inside of it.
  func coversContent(_ path: String) -> Bool { covers(path) || containers.contains(path) }

  /// Whether anything at a path or inside of it is dropped.
  func reaches(_ path: String) -> Bool {
    if covers(path) || containers.contains(path) { return true }
    let inside = "\(path)."
    return values.contains { $0.hasPrefix(inside) } || containers.contains { $0.hasPrefix(inside) }
  }

  /// The paths to drop from events of a format: each path as it is written, and the fields in which
  /// the format keeps the canonical event's value of that path.
  func places(in format: EventFormat) -> RedactedPaths {
    if isEmpty { return self }
    func placed(_ path: String) -> [String] {
      [path]
        + format.paths(for: path.split(separator: ".").map(String.init))
        .filter { $0.last != "+" }.map { $0.joined(separator: ".") }
    }
    return RedactedPaths(
      values.flatMap(placed) + containers.flatMap(placed).map { "\($0).*" })
  }

  /// The places in every format: for lines whose format may have been mistaken.
  var inAllFormats: RedactedPaths {
    let placed = EventFormat.Name.allCases.map(EventFormat.named).flatMap {
      [places(in: $0), places(in: $0.withColumns())]
    }
    return RedactedPaths(
      placed.flatMap(\.values) + placed.flatMap(\.containers).map { "\($0).*" })
  }
}

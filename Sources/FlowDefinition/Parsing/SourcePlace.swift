internal import Yams

/// A place in a flow file; line and column count from 1.
struct SourcePlace: Hashable {
  var line: Int
  var column: Int

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  init(_ mark: Mark) {
    self.init(line: mark.line, column: mark.column)
  }
}

extension Node {
  /// Where the node begins; nodes read from text always know.
  var place: SourcePlace? { mark.map { SourcePlace($0) } }
}

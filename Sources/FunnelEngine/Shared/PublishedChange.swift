/// By whom a dimension differs from what an earlier table shows of it: what its readers work out
/// when they subtract that table from the new one.
///
/// Outcomes are settled but for people who are too recent. So the difference is a table of people
/// again: of those who are new, and of those who were too recent, by what became of them. No
/// person's place in it depends on the earlier table, so what a reader can't find in either of them
/// can't be found in both.
struct PublishedChange: Sendable {
  let unsettled: ReadableTable
  let new: ReadableTable
  /// How much may be shown of each row.
  let details: [SuppressedRows.Detail]

  /// - Parameters:
  ///   - rows: people by category, of each value.
  ///   - total: of everybody.
  ///   - earlier: what the earlier table shows of the values.
  ///   - settled: which of its counts are settled, by category.
  init(
    rows: [[Int]], total: [Int], earlier: [EarlierRow], everybody: [Int],
    settled: ([Int]) -> [Int]
  ) {
    func unsettled(_ counts: [Int], _ earlier: [Int]) -> [Int] {
      zip(counts, settled(earlier)).map { $0 - $1 }
    }
    details = earlier.map(\.most)
    self.unsettled = ReadableTable(
      of: .unsettled,
      rows: zip(rows, earlier).map { counts, earlier in
        switch earlier {
        case .unknown, .people: nil
        case .nobody: counts
        case .counts(let known): unsettled(counts, known)
        }
      }, total: unsettled(total, everybody))
    new = ReadableTable(
      of: .new,
      rows: zip(rows, earlier).map { counts, earlier in
        let people = counts.reduce(0, +)
        return switch earlier {
        case .unknown: nil
        case .nobody: [people]
        case .people(let known): [people - known]
        case .counts(let known): [people - known.reduce(0, +)]
        }
      }, total: [total.reduce(0, +) - everybody.reduce(0, +)])
  }
}

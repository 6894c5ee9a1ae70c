/// The values that people are cut by.
extension AttemptEvaluator {
  /// A person's value; `nil` where the choice of a value finds none.
  ///
  /// - Parameter choose: the code of a version or a dimension for its place in a context and the
  ///   code of the person's attempt.
  func value(
    _ breakdown: FunnelStudy.Breakdown, _ choose: (_ place: Int, _ own: UInt32) -> UInt32?
  ) -> String? {
    switch breakdown {
    case .experiment(let index):
      compiled.variantState(attempt.variants[index], attempt.standings[index], in: index).label
    case .version:
      choose(1, attempt.version).map { compiled.versionName($0) }
    case .dimension(let index):
      choose(compiled.dimensionPlaces[index], attempt.dimensions[index]).map {
        compiled.dimensionName(index, $0)
      }
    }
  }

  /// The value of a person's attempt.
  func value(_ breakdown: FunnelStudy.Breakdown) -> String {
    value(breakdown) { _, own in own } ?? ""
  }
}

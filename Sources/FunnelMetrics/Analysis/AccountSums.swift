internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// What the accounts of one experiment's variants add up to.
package struct AccountSums {
  let table: ClusterTable
  let index: Int
  let experiment: Experiment

  private func parts(_ variant: String, _ period: Int?, isAssigned: Bool = false)
    -> [ClusterTable.Part]
  {
    guard let place = experiment.variants.firstIndex(where: { $0.id == variant }) else { return [] }
    return experiment.splits.indices.filter { (period ?? $0) == $0 }.flatMap { period in
      (isAssigned ? [true, false] : [true]).map {
        ClusterTable.Part(experiment: index, variant: place, period: period, isExposed: $0)
      }
    }
  }

  /// Of each period.
  func proportions(_ rate: RateDefinition, of variant: String) -> [ClusteredProportion] {
    let (periods, group) = moments(of: variant) {
      ClusterMoments(table.sums($0, of: rate.numerators, among: rate.denominator))
    }
    return periods.map { ClusteredProportion($0, among: periods, of: group) }
  }

  /// The amount a person, with the variance between accounts: of each period, and of all.
  func means(
    ofGoal goal: Int, among people: Int, _ variant: String
  ) -> (periods: [SampleMean], all: SampleMean) {
    let (periods, group) = moments(of: variant) {
      ClusterMoments(table.amounts($0, ofGoal: goal, among: people), scale: 1e6)
    }
    return (periods.map { SampleMean($0, among: periods, of: group) }, SampleMean(group))
  }

  /// Of each period and of all their people together, by which it is known how accounts differ.
  private func moments(
    of variant: String, _ sums: ([ClusterTable.Part]) -> ClusterMoments
  ) -> (periods: [ClusterMoments], group: ClusterMoments) {
    let periods = experiment.splits.indices.map { sums(parts(variant, $0)) }
    return (periods, periods.count == 1 ? periods[0] : sums(parts(variant, nil)))
  }

  /// `nil` where the experiment isn't compared by accounts.
  var counts: AccountCounts? {
    guard experiment.clusterPath != nil else { return nil }
    let mixed = table.mixed(experiment: index)
    return AccountCounts(
      all: mixed.all, mixed: mixed.mixed,
      peopleWithout: table.peopleWithoutAccount(experiment: index))
  }

  /// How many accounts have people whom a counter counts.
  ///
  /// - Parameter isAssigned: with everybody assigned, exposed or not.
  func count(
    _ variant: String, period: Int? = nil, among people: Int, isAssigned: Bool = false
  ) -> Int {
    table.sums(parts(variant, period, isAssigned: isAssigned), of: [people], among: people).clusters
  }
}

extension ClusterMoments {
  /// - Parameter scale: how many of the unit that is summed make one of the unit that is shown.
  fileprivate init(_ sums: ClusterSums, scale: Double = 1) {
    self.init()
    clusters = sums.clusters
    values = Double(sums.values) / scale
    people = Double(sums.people)
    valueSquares = Double(sums.valueSquares) / scale / scale
    products = Double(sums.products) / scale
    peopleSquares = Double(sums.peopleSquares)
    valueSquaresByPeople = Double(sums.valueSquaresByPeople) / scale / scale
    valuesByPeopleSquares = Double(sums.valuesByPeopleSquares) / scale
    peopleCubes = Double(sums.peopleCubes)
    peopleFourths = Double(sums.peopleFourths)
  }
}

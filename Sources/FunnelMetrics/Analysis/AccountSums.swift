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

  /// Of each period; what is known of how accounts differ is known of all their people together.
  func proportions(_ rate: RateDefinition, of variant: String) -> [ClusteredProportion] {
    func moments(_ period: Int?) -> ClusterMoments {
      ClusterMoments(
        table.sums(parts(variant, period), of: rate.numerators, among: rate.denominator))
    }
    let periods = experiment.splits.indices.map { moments($0) }
    let group = moments(nil)
    return periods.map { ClusteredProportion($0, among: periods, of: group) }
  }

  /// The amount a person, with the variance between accounts.
  func mean(ofGoal goal: Int, among people: Int, _ variant: String, period: Int?) -> SampleMean {
    func moments(_ period: Int?) -> ClusterMoments {
      ClusterMoments(
        table.amounts(parts(variant, period), ofGoal: goal, among: people), scale: 1e6)
    }
    guard let period, experiment.splits.count > 1 else { return SampleMean(moments(period)) }
    return SampleMean(
      moments(period), among: experiment.splits.indices.map { moments($0) }, of: moments(nil))
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

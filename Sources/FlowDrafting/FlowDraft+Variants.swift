internal import EventInput

/// A list of pages that one variant of an experiment has for itself.
struct VariantList {
  var experiment: String
  var variant: String
  var pages: [String]
}

extension FlowDraft {
  /// Fewer people with a variant say nothing about its list.
  private static let leastPeople = 20

  /// Finds the variants that have a list of steps of their own: pages that nearly nobody with the
  /// variant sees, or that people with it see in another order.
  ///
  /// The flow's own list becomes that of the variant which people without any variant agree with.
  mutating func findVariantLists(_ timelines: SampledTimelines) {
    guard pages.count > 1, let experiment = experiments.first(where: { $0.variants.count > 1 })
    else { return }
    let orders = orders(timelines, experiment.id)
    let variants = experiment.variants.map(\.0).filter { variant in
      (orders[variant]?.persons.max() ?? 0) >= Self.leastPeople
    }
    guard variants.count > 1 else { return }
    let lists = lists(variants, orders)
    guard Set(lists.values).count > 1 else { return }
    let base = base(variants, lists, orders, control: Self.control(among: experiment.variants))
    guard let basePages = lists[base] else { return }
    let persons = Dictionary(pages.map { ($0.page, $0.persons) }) { first, _ in first }
    pages = basePages.map { ($0, persons[$0] ?? 0) }
    controlOfExperiment[experiment.id] = base
    variantLists = variants.compactMap { variant in
      guard let own = lists[variant], own != basePages else { return nil }
      return VariantList(experiment: experiment.id, variant: variant, pages: own)
    }
    // What a variant's own list says already is no branch within it.
    branches = branches.filter { page in variantLists.allSatisfy { $0.pages.contains(page) } }
  }

  /// The order of the newest version's pages among people of each variant; of those without one
  /// under the empty name.
  private func orders(_ timelines: SampledTimelines, _ experiment: String) -> [String: PageOrder] {
    let newest = pagesOfVersion.last?.version
    let known = Set(pages.map(\.page))
    var orders: [String: PageOrder] = [:]
    for person in timelines.people {
      var variants: Set<String> = []
      var views = FirstViews()
      for event in person {
        if let variant = variant(event, experiment) { variants.insert(variant) }
        guard names.part(event.event) == DraftScreens.part, let page = page(event),
          known.contains(page), newest == nil || event.value("flow_version") == newest
        else { continue }
        views.add(page)
      }
      guard variants.count <= 1, !views.pages.isEmpty else { continue }
      orders[variants.first ?? "", default: PageOrder()].add(views.pages)
    }
    return orders
  }

  /// The variant that an event names.
  func variant(_ event: SampledEvent, _ experiment: String) -> String? {
    guard let chosen = choice.variant else { return event.variants[experiment] }
    if let exposures = chosen.exposures, event.value(exposures.path) != experiment { return nil }
    return event.value(chosen.path)
  }

  private func lists(
    _ variants: [String], _ orders: [String: PageOrder]
  ) -> [String: [String]] {
    func rate(_ page: String, _ variant: String) -> Double {
      guard let order = orders[variant], let place = order.pages.firstIndex(of: page) else {
        return 0
      }
      return Double(order.persons[place]) / Double(max(1, order.persons.max() ?? 1))
    }
    var lists: [String: [String]] = [:]
    for variant in variants {
      let shown = pages.map(\.page).filter { page in
        let most = variants.map { rate(page, $0) }.max() ?? 0
        return rate(page, variant) >= most / 10
      }
      lists[variant] = reordered(shown, variant, variants, orders)
    }
    return lists
  }

  /// The pages in the flow's order, but for those that nearly everyone with the variant sees the
  /// other way round than people with another variant do.
  private func reordered(
    _ shown: [String], _ variant: String, _ variants: [String], _ orders: [String: PageOrder]
  ) -> [String] {
    guard let own = orders[variant] else { return shown }
    let isTurned = variants.contains { other in
      guard let order = orders[other] else { return false }
      return shown.indices.contains { second in
        shown.indices.prefix(second).contains { first in
          guard let here = own.share(shown[first], before: shown[second]),
            let there = order.share(shown[first], before: shown[second])
          else { return false }
          return here >= 0.8 && there <= 0.2 || here <= 0.2 && there >= 0.8
        }
      }
    }
    guard isTurned else { return shown }
    let ordered = own.ordered.map(\.page)
    return ordered.filter(shown.contains) + shown.filter { !ordered.contains($0) }
  }

  private func base(
    _ variants: [String], _ lists: [String: [String]], _ orders: [String: PageOrder],
    control: String?
  ) -> String {
    func agreement(_ variant: String) -> Int {
      guard let list = lists[variant], let order = orders[""] else { return 0 }
      return list.indices.reduce(0) { sum, second in
        list.indices.prefix(second).reduce(sum) { sum, first in
          let share = order.share(list[first], before: list[second]) ?? 0.5
          return sum + (share > 0.5 ? 1 : share < 0.5 ? -1 : 0)
        }
      }
    }
    func rank(_ variant: String) -> (Int, Int, Int) {
      (lists[variant]?.count ?? 0, variant == control ? 1 : 0, agreement(variant))
    }
    return variants.reduce(variants[0]) { rank($0) < rank($1) ? $1 : $0 }
  }

  /// The variant that is called like a control; `nil` where none is.
  static func control(among variants: [(String, Int)]) -> String? {
    let names = variants.map(\.0)
    return ["control", "baseline", "default", "original", "A", "a", "off", "false"]
      .first { names.contains($0) }
  }
}

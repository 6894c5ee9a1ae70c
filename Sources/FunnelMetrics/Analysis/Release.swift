internal import FlowDefinition
internal import FunnelEngine

/// A release of the app, by the first day on which somebody started with it.
package struct Release {
  package let name: String
  /// Since 1970-01-01.
  package let day: Int

  /// Fewer people are testers, or have an app of their own.
  package static let fewestPeople = 10
  static let maximum = 5
}

extension Analysis {
  /// The releases that came while the data went on, the earliest first. Those that people started
  /// with in the first week may be older than the data, and are none.
  package var releases: [Release] {
    guard let dimension = flow.dimensions.first(where: \.isRelease),
      let start = tally.firstDays.values.min()
    else { return [] }
    let found = tally.firstDays.compactMap { key, day -> (release: Release, people: Int)? in
      let slice = Slice(breakdown: key)
      guard key.dimension == dimension.id, day > start + 6, !key.value.hasPrefix("(") else {
        return nil
      }
      let people = slices.count(slice, slices.layout[.entered])
      return people < Release.fewestPeople ? nil : (Release(name: key.value, day: day), people)
    }
    let largest = found.sorted {
      ($1.people, $0.release.day, $0.release.name) < ($0.people, $1.release.day, $1.release.name)
    }
    return largest.prefix(Release.maximum).map(\.release).sorted {
      ($0.day, $0.name) < ($1.day, $1.name)
    }
  }
}

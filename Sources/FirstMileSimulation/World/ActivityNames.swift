import FlowDefinition

/// What people do in the app, by name: events that show they came back, and events that don't.
struct ActivityNames: Sendable {
  static let signedIn = "user_signed_in"

  /// All names; the first is the sign-in.
  let names: [String]
  /// By name: whether it shows that the person came back.
  let shows: [Bool]
  /// Names to draw from on a visit, and how often each.
  let visits: [Int]
  let visitsCumulated: [Double]
  /// Names that do not count as activity.
  let silent: [Int]

  init(_ flow: Flow, _ profile: Profile, taken: Set<String>) {
    var names = [ActivityNames.signedIn]
    var visits: [Int] = []
    var cumulated: [Double] = []
    var total = 0.0
    for (name, weight) in profile.activity
    where !taken.contains(name) && !flow.notActivity.contains(name) {
      visits.append(names.count)
      total += weight
      cumulated.append(total)
      names.append(name)
    }
    if visits.isEmpty {
      visits = [names.count]
      cumulated = [1]
      names.append("app_opened")
    }
    let silent = flow.notActivity.filter { !taken.contains($0) }
    self.silent = Array(names.count..<(names.count + silent.count))
    self.names = names + silent
    self.shows = (names + silent).map { !flow.notActivity.contains($0) }
    self.visits = visits
    self.visitsCumulated = cumulated
  }
}

internal import EventInput
internal import FlowDefinition

/// What may mark testers and the team in the sample: a remark that `leave_out` could ask for it.
extension FlowDraft {
  /// Names, without what is no letter, of properties that are true of testers.
  private static let truths: Set<String> = [
    "internal", "isinternal", "internaluser", "isinternaluser", "internalortestuser", "istest",
    "testuser", "istestuser", "tester", "istester", "isstaff", "isemployee", "isqa", "isbot",
    "isdeveloper", "isteammember", "debugmode", "isdebug",
  ]
  /// Names of properties that say where or as what an app runs.
  private static let places: Set<String> = ["environment", "env", "buildtype", "traffictype"]
  /// What they say of testers, in small letters.
  private static let placesOfTesters: Set<String> = [
    "staging", "stage", "development", "developer", "dev", "test", "testing", "qa", "debug",
    "sandbox", "local", "localhost", "internal",
  ]

  /// Lines of remarks; none where nothing in the sample looks like it, or where it is true of
  /// most, which marks nobody.
  var testerLines: [String] {
    var people: [String: Set<String>] = [:]
    var values: [String: Set<String>] = [:]
    for event in sample.events {
      var fields = event.context
      for (name, value) in event.properties { fields[event.path(ofProperty: name)] = value }
      for (path, value) in fields where Self.isOfTester(path, value) {
        people[path, default: []].insert(event.person)
        values[path, default: []].insert(Self.isTrue(value) ? "true" : value)
      }
    }
    let all = Set(sample.events.map(\.person)).count
    let found = people.filter { $0.value.count * 5 < all }.keys.sorted()
    if found.isEmpty { return [] }
    var lines = ["# Testers or the team? To leave them out of all numbers:", "# leave_out:"]
    for path in found.prefix(4) {
      let name = String(path.dropFirst(path.hasPrefix("properties.") ? 11 : 0))
      let property = Self.text(name.contains(".") ? path : name)
      let texts = (values[path] ?? []).sorted().map { $0 == "true" ? $0 : Self.text($0) }
      lines.append(
        "#   - where: {\(property): [\(texts.joined(separator: ", "))]}"
          + "  # \(people[path]?.count ?? 0) of \(all) people")
    }
    return lines
  }

  private static func isOfTester(_ path: String, _ value: String) -> Bool {
    let last = path.split(separator: ".").last.map { $0.lowercased().filter(\.isLetter) } ?? ""
    return truths.contains(last) && isTrue(value)
      || places.contains(last) && placesOfTesters.contains(value.lowercased())
  }

  private static func isTrue(_ value: String) -> Bool {
    value == "true" || NameSpellings.others(of: "true").contains(value)
  }
}

internal import FlowDefinition
internal import FunnelEngine

/// One of the sums that must hold in all slices: everybody is accounted for.
public struct IdentityCheck: Sendable, Hashable {
  /// The sum in words.
  public var statement: String
  /// How many slices (and steps, permissions) it was checked in.
  public var checked: Int
  /// Where it does not hold: never, unless the program is wrong.
  public var failures: [String]

  package static func all(_ table: SliceTable) -> [IdentityCheck] {
    var persons = IdentityCheck(
      "persons = finished + finished after skipping + skipped + abandoned")
    var steps = IdentityCheck("viewed = advanced + left skipping + abandoned here, at each step")
    var leavers = IdentityCheck("skipped + abandoned = sum of left here + left at (entry)")
    var answers = IdentityCheck(
      "persons = granted + denied + error + restricted + already decided + not now + no result")
    let layout = table.layout
    for slice in table.slices {
      func count(_ counter: Int) -> Int { table.count(slice, counter) }
      let gone = count(layout[.skipped]) + count(layout[.abandoned])
      let finished = count(layout[.finished]) + count(layout[.finishedAfterSkipping])
      persons.check(slice, count(layout[.persons]), finished + gone)
      var left = count(layout[.leftAtEntrySkipping]) + count(layout[.leftAtEntryAbandoned])
      for step in 0..<layout.stepCount {
        let here = count(layout[.leftSkipping, step]) + count(layout[.abandonedHere, step])
        steps.check(
          slice, count(layout[.viewed, step]), count(layout[.advanced, step]) + here)
        left += here
      }
      leavers.check(slice, gone, left)
      for permission in 0..<layout.permissionCount {
        let sum = PermissionClass.allCases.reduce(0) { $0 + count(layout[$1, permission]) }
        answers.check(slice, count(layout[.persons]), sum)
      }
    }
    return [persons, steps, leavers] + (layout.permissionCount > 0 ? [answers] : [])
  }

  private init(_ statement: String) {
    self.statement = statement
    checked = 0
    failures = []
  }

  private mutating func check(_ slice: Slice, _ left: Int, _ right: Int) {
    checked += 1
    if left != right { failures.append("\(slice): \(left) is not \(right)") }
  }
}

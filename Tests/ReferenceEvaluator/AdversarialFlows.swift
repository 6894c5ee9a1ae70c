public import FlowDefinition
import Foundation

/// The adversarial flow, and the settings that change rules.
public enum AdversarialFlows {
  /// The file as it stands; a skip that jumps and calendar days; existing users included and pages
  /// counted from 0; identity by device.
  public static func all() throws -> [Flow] {
    let file = CaseFile.folder.appendingPathComponent("adversarial.yaml")
    let base = try FlowParser.parse(
      try String(contentsOf: file, encoding: .utf8), file: "adversarial.yaml"
    ).flow
    var jumping = base
    jumping.skip = .leadsTo(step: 1)
    jumping.day = .calendar
    jumping.timeZone = "Europe/Berlin"
    var including = base
    including.existingUsers = .include
    including.identity = .user
    including.countsFrom = 0
    var devices = base
    devices.identity = .device
    return [base, jumping, including, devices]
  }
}

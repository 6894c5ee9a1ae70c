internal import FunnelMetrics
internal import ReportText

/// What is said of devices on which several users were seen, in reports and by `validate`.
///
/// A person whose id changes without an event that says so is two: the first never comes back, the
/// second never began.
struct DeviceWords {
  let count: Int
  /// Devices on which a user was seen.
  let total: Int
  let claim: String
  let detail = """
    Each user counts as a person. Does the app give people another id when they sign up? Then have \
    it send the earlier one as previous_id, or count with 'identity: device'.
    """

  /// `nil` where there are none.
  init?(_ provenance: Provenance) {
    let counts = provenance.timelineCounts
    count = counts[GradeCondition.devicesWithSeveralUsers.rawValue] ?? 0
    total = counts["devices_with_users"] ?? 0
    guard count > 0, total > 0 else { return nil }
    claim =
      "\(RateText.percent(Double(count) / Double(total))) of the devices that people use while "
      + "signed in have several users."
  }
}

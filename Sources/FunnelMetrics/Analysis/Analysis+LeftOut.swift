internal import FunnelEngine

extension Analysis {
  /// All people up to the horizon, those whom the flow's `leave_out` leaves out among them.
  package var everybody: Int { (tally.people?.persons ?? 0) + tally.quality.leftOut }
}

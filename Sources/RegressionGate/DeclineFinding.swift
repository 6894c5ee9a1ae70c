/// What all nights since a baseline say of a slow decline.
public struct DeclineFinding: Sendable, Hashable {
  /// Days with people since the baseline.
  public var nights: Int
  /// The likelihood ratio of a decline against a steady rate on the night that says most; the
  /// chance that it is ever as large for a steady rate is at most its inverse.
  public var evidence: Double
  /// The likeliest first day of the decline, as days since 1970; `nil` where none is beyond the
  /// margin.
  public var firstDay: Int?
  /// The first night on which the decline was shown; `nil` where none was.
  public var shownOn: Int?
}

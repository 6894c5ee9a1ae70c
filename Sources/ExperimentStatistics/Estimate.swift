/// A value, or the reason why there is none.
public enum Estimate<Value: Sendable>: Sendable {
  /// What was estimated.
  case value(Value)
  /// Nothing could be estimated, for this reason.
  case unavailable(Unavailable)

  /// The value, or nil where it is unavailable.
  public var value: Value? {
    switch self {
    case .value(let value): value
    case .unavailable: nil
    }
  }

  /// The reason, or nil where there is a value.
  public var reason: Unavailable? {
    switch self {
    case .value: nil
    case .unavailable(let reason): reason
    }
  }

  /// This estimate with its value changed; a reason is passed on.
  public func map<Result: Sendable>(_ transform: (Value) -> Result) -> Estimate<Result> {
    switch self {
    case .value(let value): .value(transform(value))
    case .unavailable(let reason): .unavailable(reason)
    }
  }
}

extension Estimate: Equatable where Value: Equatable {}
extension Estimate: Hashable where Value: Hashable {}

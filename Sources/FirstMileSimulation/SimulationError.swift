/// Why a dump can't be simulated, in words that say what to change.
public enum SimulationError: Error, Equatable, CustomStringConvertible {
  /// A number of the plan is outside what is possible.
  case invalidPlan(name: String, value: String, allowed: String)
  /// The flow has more steps than a simulated person can keep in mind.
  case tooManySteps(count: Int, limit: Int)
  /// A file or folder could not be written.
  case unwritable(path: String, reason: String)
  /// The compression library failed.
  case compression(library: String, code: Int)

  /// What can't be done, and within which bounds it can.
  public var description: String {
    switch self {
    case .invalidPlan(let name, let value, let allowed):
      "\(name) is \(value); allowed: \(allowed)"
    case .tooManySteps(let count, let limit):
      "the flow has \(count) steps; the simulator takes at most \(limit)"
    case .unwritable(let path, let reason):
      "can't write \(path): \(reason); without a truth.json what is there is no whole dump"
    case .compression(let library, let code):
      "\(library) failed with code \(code)"
    }
  }
}

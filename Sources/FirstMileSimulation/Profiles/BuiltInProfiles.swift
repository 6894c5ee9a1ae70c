extension Profile {
  /// The habits for a flow: the app's own, or the generic ones.
  static func habits(flow: String) -> Profile {
    switch flow {
    case "memoss": .memoss
    case "unforgotten": .unforgotten
    case "aiq": .aiq
    case "trendy": .trendy
    case "dequeue": .dequeue
    default: .generic
    }
  }

  /// Telephones of usual size.
  static let iPhones: [(value: String, weight: Double)] = [
    ("iPhone17,2", 4), ("iPhone16,1", 3), ("iPhone15,4", 2),
  ]

  /// For any flow: the first variant of an experiment is plain, each further one finishes more.
  static var generic: Profile {
    var profile = Profile()
    profile.effects["B"] = Effect(leave: 0.85, returning: 1.08)
    return profile
  }
}

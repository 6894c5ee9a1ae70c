/// What the words in an event's name suggest. A hint only decides between events that people's
/// timelines leave equally likely.
enum NameHint {
  /// How much likelier a name is to be a start than the timelines alone say.
  static func start(_ name: String) -> Double {
    weight(name, ["start", "begin", "began"], against: ["finish", "complete", "success", "fail"])
  }

  /// How much likelier a name is to be an end than the timelines alone say.
  static func end(_ name: String) -> Double {
    if isFailure(name) { return 0.4 }
    return weight(
      name, ["finish", "complete", "done", "success"],
      against: ["start", "begin", "view", "prompt", "shown"])
  }

  /// Whether two names of ends are of the same thing: they share a word besides those that speak of
  /// an end. Who is on a waiting list has not got it.
  static func areOfOneThing(_ one: String, _ other: String) -> Bool {
    let (own, others) = (words(one), words(other))
    let common = own.intersection(others).filter { word in
      !["finish", "complete", "done", "success"].contains { word.hasPrefix($0) }
    }
    return !common.isEmpty && own.contains("waitlist") == others.contains("waitlist")
  }

  /// Whether two names are one in different spellings, as two platforms may have them.
  static func areSpelledAlike(_ one: String, _ other: String) -> Bool {
    one != other && !words(one).isEmpty && words(one) == words(other)
  }

  /// Words in small letters: `Mail Signup`, `mail_signup` and `MailSignup` have the same.
  private static func words(_ name: String) -> Set<String> {
    var words: [String] = [""]
    var isSmall = false
    for letter in name {
      if !letter.isLetter || isSmall && letter.isUppercase { words.append("") }
      if letter.isLetter { words[words.count - 1] += letter.lowercased() }
      isSmall = letter.isLowercase
    }
    return Set(words.filter { !$0.isEmpty })
  }

  static func isFailure(_ name: String) -> Bool {
    has(
      name,
      [
        "fail", "error", "invalid", "denied", "deny", "reject", "declin", "refus", "cancel",
        "uninstall", "abandon", "expired", "blocked", "deleted", "deletion",
      ])
  }

  static func isSkip(_ name: String) -> Bool { has(name, ["skip", "dismiss"]) }

  /// What a server or the system sends, which shows nobody.
  static func isSentByServer(_ name: String) -> Bool {
    has(
      name,
      [
        "deliver", "push sent", "push_sent", "email sent", "email_sent", "widget", "geofence",
        "webhook", "renewed", "subscription_charged", "refunded", "background_fetch",
      ])
  }

  /// A property that is called like an experiment's variant.
  static func isVariant(_ name: String) -> Bool {
    let words = name.lowercased().split { !($0.isLetter || $0.isNumber) }
    return words.contains { word in
      ["variant", "variation", "experiment", "ab", "abtest", "treatment", "bucket", "arm"]
        .contains(String(word))
    } || ["test_group", "testgroup", "ab_group", "split_group"].contains(name.lowercased())
      // What Firebase sets as a property of users: `firebase_exp_3`.
      || name.lowercased().hasPrefix("firebase_exp_")
  }

  /// An event that is called like the assignment of people to an experiment's variants.
  static func isAssignment(_ name: String) -> Bool {
    isVariant(name)
      || has(
        name,
        ["experiment", "variant", "assigned", "exposure", "feature_flag", "ab test", "a/b"])
  }

  private static func weight(_ name: String, _ words: [String], against: [String]) -> Double {
    (has(name, words) ? 1.2 : 1) * (has(name, against) ? 0.8 : 1)
  }

  private static func has(_ name: String, _ words: [String]) -> Bool {
    // By bytes: a search by characters takes longer than reading the event, and is asked of each.
    let name = Array(name.lowercased().utf8)
    return words.contains { word in
      let word = Array(word.utf8)
      return name.indices.contains { name[$0...].starts(with: word) }
    }
  }
}

import EventInput
import FirstMile
import Testing

/// The library for apps depends on nothing and has a list of its own of what is no id.
@Suite struct EventIdentifierTests {
  private static let time = EventTime(milliseconds: 1_767_225_600_000)  // 2026-01-01

  private static func isRefused(_ id: String) -> Bool {
    let event = OnboardingEvent(OnboardingAction("opened", [:]), at: time, userID: id)
    do {
      try event.validate()
      return false
    } catch {
      return error == .noIdentifier
    }
  }

  @Test func `an app may send the ids that are read, and no other`() {
    let key = IdentifierKey.fixed
    let words = PlaceholderIdentifier.names + ["", " ", "0", "0-0", "<nil>", "(null)"]
    let people = ["u-1", "na", "anon", "test", "1", "undefined-1", "nobody", "zeros", "blank"]
    for word in words.flatMap({ [$0, $0.uppercased(), $0.lowercased()] }) + people {
      let isMissing = key.hash(of: word, domain: .user).isMissing
      #expect(Self.isRefused(word) == isMissing, "'\(word)'")
    }
    #expect(people.allSatisfy { !Self.isRefused($0) })
    // Three of the names describe an id, and one is none in tables alone: none is refused here.
    #expect(words.count { Self.isRefused($0) } == words.count - 4)
  }
}

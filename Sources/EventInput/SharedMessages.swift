extension EventBatch {
  /// Whether most of the events' own ids stand at events of several people: ids of what kind of
  /// event it is, or of a row's batch, and no event's own.
  ///
  /// Two ids are one hash for less than one in a hundred of a batch's.
  var hasSharedMessages: Bool {
    var people: [UInt16: (hash: IdentifierHash, isUser: Bool)] = [:]
    var shared: Set<UInt16> = []
    for row in 0..<count where messages[row] != 0 {
      let isUser = !users[row].isMissing
      let person = (hash: isUser ? users[row] : devices[row], isUser: isUser)
      guard let known = people[messages[row]] else {
        people[messages[row]] = person
        continue
      }
      // An event may be sent again once it is known whose it is.
      if known.isUser == person.isUser && known.hash != person.hash { shared.insert(messages[row]) }
    }
    return shared.count * 2 > people.count
  }
}

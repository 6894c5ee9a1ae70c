/// What the properties of a sampled event look like, without their values.
package struct SampledEventLooks: Sendable, Hashable {
  /// A property, and what its value looks like.
  package struct Property: Sendable, Hashable {
    package var path: String
    /// A digest of the value, by which equal ones are found; 0 where it looks like nothing.
    package var value: UInt32
    package var look: PropertyLook
    /// What it looks like where the path's last key is not taken for a name (`*`).
    package var memberLook: PropertyLook

    package init(path: String, value: UInt32, look: PropertyLook, memberLook: PropertyLook) {
      self.path = path
      self.value = value
      self.look = look
      self.memberLook = memberLook
    }
  }

  /// Its place in the sample.
  package var rank: UInt64
  package var hash: UInt64
  package var format: EventFormat.Name
  /// A digest of the id of the event's person.
  package var person: UInt32
  /// The crawler that the event names.
  package var crawler: String?
  /// By their paths' bytes.
  package var properties: [Property]

  package init(
    rank: UInt64, hash: UInt64, format: EventFormat.Name, person: UInt32, crawler: String?,
    properties: [Property]
  ) {
    self.rank = rank
    self.hash = hash
    self.format = format
    self.person = person
    self.crawler = crawler
    self.properties = properties
  }

  package func precedes(_ other: SampledEventLooks) -> Bool {
    (rank, hash) < (other.rank, other.hash)
  }
}

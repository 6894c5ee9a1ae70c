public import EventInput

/// One source on its way from bytes to packs.
public struct SourceReading {
  /// From so many facts on a source is kept in several packs, so that memory has a bound.
  private static let factsPerPack = 8_000_000

  private let layout: StoredLayout
  private let schema: FactSchema
  private let scanner: SourceScanner
  private let forgotten: ForgottenPersons
  /// Events of the source without a user's id.
  public private(set) var eventsWithoutUser = 0
  /// Events of the source without a device's id.
  public private(set) var eventsWithoutDevice = 0
  /// What some of the events look like, if any were to be sampled.
  public private(set) var sample: PropertySample?
  /// What was read, in the order of the source.
  public private(set) var packs: [StoredPack] = []

  /// - Parameters:
  ///   - layout: what is kept of each event.
  ///   - format: how the source is written; recognised from it if not given.
  ///   - redaction: whose values are dropped, even where the layout has a column for them.
  ///   - forgotten: whose facts are left out.
  ///   - sampling: which events are looked at for personal text and crawlers; none if not given.
  public init(
    layout: StoredLayout, format: EventFormat.Name?, redacting redaction: Redaction,
    key: IdentifierKey, forgotten: ForgottenPersons,
    digest: SourceDigest.Kind, sampling: PropertySampling? = nil
  ) {
    self.layout = layout
    self.forgotten = forgotten
    var schema = FactSchema(layout: layout, format: format)
      .redacting(redaction).digesting(by: digest).forgetting(forgotten.users)
    if let sampling { schema = schema.sampling(sampling) }
    self.schema = schema
    scanner = SourceScanner(plan: schema.plan, key: key)
  }

  /// Reads a source to its end.
  ///
  /// - Throws: what the file of rejects throws.
  public mutating func read(
    _ source: InputSource, rejects: RejectWriter?, overlap: Bool
  ) throws -> SourceSummary {
    var collector = FactCollector(schema: schema)
    var (held, withoutUser, withoutDevice) = (0, 0, 0)
    var packs: [StoredPack] = []
    let summary = try scanner.scan(source, rejects: rejects, overlap: overlap) { batch in
      for index in 0..<batch.count {
        if batch.users[index].isMissing { withoutUser += 1 }
        if batch.devices[index].isMissing { withoutDevice += 1 }
      }
      try collector.add(batch)
      held += batch.count
      if held >= SourceReading.factsPerPack {
        packs.append(try pack(collector))
        collector = FactCollector(schema: schema)
        held = 0
      }
    }
    sample = schema.plan.sampling?.sample(schema.plan)
    if held > 0 || packs.isEmpty { packs.append(try pack(collector)) }
    self.packs = packs
    (eventsWithoutUser, eventsWithoutDevice) = (withoutUser, withoutDevice)
    return summary
  }

  private func pack(_ collector: FactCollector) throws(SpillError) -> StoredPack {
    var encoder = StoredPackEncoder(
      collector, names: scanner.tables, layout: layout, forgetting: forgotten)
    return try encoder.encode(collector)
  }
}

import CScanKernel

/// What an event is made of in a line that fits a template: which of its strings are the time, the
/// ids, and the values of slots. So nothing is asked leaf by leaf for such lines.
///
/// Invariants: `list` has a place for each template that there may be; the ranges of those that are
/// `made` are those of `wanted` and `scalars`. What is known of values belongs to the slots' rules.
struct EventTemplates {
  struct Event {
    enum Making: UInt8 {
      case notTried, impossible, made
    }

    var making = Making.notTried
    /// The quotes before the strings; -1 for none.
    var time: Int16 = -1
    var user: Int16 = -1
    var device: Int16 = -1
    var session: Int16 = -1
    var message: Int16 = -1
    var firstWanted: Int32 = 0
    var wantedCount: Int32 = 0
    var firstScalar: Int32 = 0
    var scalarCount: Int32 = 0
    /// A bit for each quote that a string stands behind which the event is made of; those of quotes
    /// from 64 on fall together with others.
    var strings: UInt64 = 0

    /// Whether the event is made of the string behind a quote, or may be.
    func mayAsk(stringBehind quote: Int) -> Bool { strings >> UInt64(quote & 63) & 1 != 0 }
  }

  /// A number or word, and the rule it is under; -1 for what has to be null.
  struct Scalar {
    var scalar: TemplateScalar
    var rule: Int
  }

  var list = TemplateList<Event>(capacity: LineTemplates.templateCapacity)
  var wanted = TemplateList<scan_wanted>(capacity: LineTemplates.templateCapacity * 16)
  var scalars = TemplateList<Scalar>(capacity: LineTemplates.templateCapacity * 2)

  init() {
    _ = list.add(Array(repeating: Event(), count: LineTemplates.templateCapacity))
  }

  func deallocate() {
    list.deallocate()
    wanted.deallocate()
    scalars.deallocate()
  }

  /// Finds out what an event of the template is made of, if that is simple: one place for the time
  /// and for every id, one rule for every slot.
  mutating func make(
    _ number: Int, _ templates: LineTemplates, _ state: EventScannerState, leafCount: Int
  ) {
    var event = Event()
    event.making = .impossible
    defer { list.start[number] = event }
    let template = templates.templates[number]
    var maker = EventTemplateMaker(template, templates, state, leafCount: leafCount)
    guard maker.make(), isFarEnough(maker.wanted, templates.bytesBeforeFirstValue(of: template)),
      wanted.hasRoom(for: maker.wanted.count + 4),
      scalars.hasRoom(for: maker.scalars.count)
    else { return }
    event = maker.event
    let own = TemplateBuilder.filled(maker.wanted, 4)
    event.firstWanted = wanted.add(own)
    event.wantedCount = Int32(own.count)
    event.firstScalar = scalars.add(maker.scalars)
    event.scalarCount = Int32(maker.scalars.count)
    event.strings = own.reduce(0) { $0 | 1 << UInt64($1.quote & 63) }
    for quote in [event.time, event.user, event.device, event.session, event.message]
    where quote >= 0 {
      event.strings |= 1 << UInt64(quote & 63)
    }
    event.making = .made
  }

  /// Whether 8 bytes of the line stand before the end of each value, as its look-up asks for: as
  /// many bytes as quotes do, at least.
  private func isFarEnough(_ wanted: [scan_wanted], _ bytesBeforeFirstValue: Int) -> Bool {
    bytesBeforeFirstValue >= 8 || wanted.allSatisfy { $0.quote >= 7 }
  }
}

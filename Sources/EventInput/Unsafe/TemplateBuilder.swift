import CScanKernel

/// Casts a way through the graph of gaps into a template.
///
/// Rare: once for each way in which lines are built.
struct TemplateBuilder {
  private let graph: GapTables
  private let nodeLeaves: UnsafePointer<(first: Int32, end: Int32)>
  private let leafCount: Int
  private let eventLeaf: Int
  /// Quotes passed before the gap that is being read, and what marks where it begins.
  private var quotesPassed = 0
  private var gapStart: TemplatePlace?
  private var template = LineTemplate()
  private var pieces: [scan_piece] = []
  private var values: [TemplateValue] = []
  private var scalars: [TemplateScalar] = []
  private var containers: [TemplateContainer] = []
  private var kinds: [UInt8]
  /// Leaves that a value was noted for: one that comes twice is left to the walk.
  private var noted: Set<Int32> = []

  private init(_ lines: LineScanner, _ templates: LineTemplates) {
    graph = templates.graph
    eventLeaf = templates.eventLeaf
    nodeLeaves = lines.nodeLeaves
    leafCount = lines.leafCount
    kinds = Array(repeating: ValueKind.missing, count: lines.leafCount)
  }

  /// Adds the template of a way; its number, or nil if the way can't be cast or there is no room.
  static func add(
    _ path: UnsafeBufferPointer<UInt32>, _ lines: LineScanner, to templates: inout LineTemplates
  ) -> Int32? {
    if templates.isFull { return nil }
    var builder = TemplateBuilder(lines, templates)
    guard builder.cast(path) else { return nil }
    builder.template.pathHash = LineTemplates.hash(of: path)
    return builder.store(in: &templates)
  }

  private mutating func cast(_ path: UnsafeBufferPointer<UInt32>) -> Bool {
    var gap: [UnsafePointer<GapRecord>] = []
    for distance in path {
      let record = (UnsafeRawPointer(graph.records) + Int(distance))
        .assumingMemoryBound(to: GapRecord.self)
      gap.append(record)
      if record.pointee.kind == .part { continue }
      guard takeGap(gap) else { return false }
      gap = []
    }
    // A scalar that a later object wiped would be recorded again.
    let isPlain = scalars.allSatisfy { $0.leaf == leafCount || kinds[Int($0.leaf)] != 0 }
    template.quoteCount = Int32(quotesPassed)
    return gap.isEmpty && isPlain && quotesPassed > 0 && pieces.allSatisfy(isInside)
  }

  /// Whether the piece begins inside any line with the template's quotes: quote n is no sooner than
  /// n bytes behind the line's beginning. The first gap's place is compared itself. How far a piece
  /// reaches behind a line is bounded by the path (`LineTemplates.reachBytes`).
  private func isInside(_ piece: scan_piece) -> Bool {
    if piece.quote == 0 { return true }
    return Int(piece.offset) + (piece.quote < 0 ? quotesPassed : Int(piece.quote)) >= 0
  }

  /// Takes a gap, in its parts.
  private mutating func takeGap(_ gap: [UnsafePointer<GapRecord>]) -> Bool {
    guard let last = gap.last, let start = place(of: gap) else { return false }
    if let scalar = scalars.indices.last, gapStart == nil, !pieces.isEmpty {
      scalars[scalar].end = start
    }
    if pieces.isEmpty { template.firstQuoteOffset = -Int32(start.offset) }
    var offset = Int(start.offset)
    for record in gap {
      guard let offset16 = Int16(exactly: offset) else { return false }
      pieces.append(
        scan_piece(spelling: distance(of: record), quote: start.quote, offset: offset16))
      guard takeEffects(of: record, TemplatePlace(quote: start.quote, offset: offset16)) else {
        return false
      }
      offset += Int(record.pointee.count)
      quotesPassed += Int(record.pointee.quoteCount)
    }
    guard let end = Int16(exactly: offset), quotesPassed < Int(Int16.max) else { return false }
    return takeValue(behind: last, TemplatePlace(quote: start.quote, offset: end))
  }

  private mutating func takeValue(
    behind record: UnsafePointer<GapRecord>, _ place: TemplatePlace
  ) -> Bool {
    let leaf = record.pointee.leaf
    let isWanted = leaf < leafCount
    switch record.pointee.kind {
    case .string:
      if isWanted {
        guard noted.insert(leaf).inserted else { return false }
        values.append(TemplateValue(leaf: leaf, quote: Int32(quotesPassed - 1)))
        kinds[Int(leaf)] = ValueKind.string
        if Int(leaf) == eventLeaf { template.eventQuote = Int32(quotesPassed - 1) }
      }
      gapStart = TemplatePlace(quote: Int16(quotesPassed), offset: 0)
    case .scalar:
      if isWanted {
        guard noted.insert(leaf).inserted else { return false }
        kinds[Int(leaf)] = ValueKind.number
      }
      scalars.append(TemplateScalar(leaf: leaf, start: place, end: place))
      gapStart = nil
    case .part, .lineEnd: break
    }
    return true
  }

  /// What marks where a gap begins: behind a string its quote, else the first quote in it, or the
  /// line's end.
  private func place(of gap: [UnsafePointer<GapRecord>]) -> TemplatePlace? {
    if let gapStart { return gapStart }
    var offset = 0
    for record in gap {
      let spelling = UnsafeRawPointer(record).assumingMemoryBound(to: UInt8.self)
      for index in 0..<Int(record.pointee.count) {
        if spelling[index] == UInt8(ascii: "\"") {
          return Int16(exactly: -offset - index).map {
            TemplatePlace(quote: Int16(quotesPassed), offset: $0)
          }
        }
      }
      offset += Int(record.pointee.count)
    }
    guard gap.last?.pointee.kind == .lineEnd, let start = Int16(exactly: 1 - offset) else {
      return nil
    }
    return TemplatePlace(quote: -1, offset: start)
  }

  private mutating func takeEffects(
    of record: UnsafePointer<GapRecord>, _ place: TemplatePlace
  ) -> Bool {
    for index in 0..<Int(record.pointee.effectCount) {
      let effect = graph.effects[Int(record.pointee.firstEffect) + index]
      if effect.wipedNode >= 0 {
        let leaves = nodeLeaves[Int(effect.wipedNode)]
        for leaf in leaves.first..<leaves.end { kinds[Int(leaf)] = ValueKind.missing }
      }
      if Int(effect.leaf) >= leafCount { continue }
      kinds[Int(effect.leaf)] = effect.valueKind
      if effect.valueKind != ValueKind.container { continue }
      guard noted.insert(effect.leaf).inserted,
        let start = Int16(exactly: Int(place.offset) + Int(effect.start)),
        let end = Int16(exactly: Int(place.offset) + Int(effect.end))
      else { return false }
      containers.append(
        TemplateContainer(
          leaf: effect.leaf, start: TemplatePlace(quote: place.quote, offset: start),
          end: TemplatePlace(quote: place.quote, offset: end)))
    }
    return true
  }

  private func distance(of record: UnsafePointer<GapRecord>) -> UInt32 {
    UInt32(truncatingIfNeeded: UnsafeRawPointer(record) - UnsafeRawPointer(graph.records))
  }

  /// Repeats the last elements up to a multiple of so many: loops that end after the same number of
  /// rounds for most lines are predicted.
  static func filled<Element>(_ elements: [Element], _ multiple: Int) -> [Element] {
    guard let last = elements.last else { return [] }
    return elements
      + Array(repeating: last, count: (multiple - elements.count % multiple) % multiple)
  }

  private func store(in templates: inout LineTemplates) -> Int32? {
    guard templates.templates.hasRoom(for: 1), templates.pieces.hasRoom(for: pieces.count + 8),
      templates.values.hasRoom(for: values.count + 4),
      templates.scalars.hasRoom(for: scalars.count),
      templates.containers.hasRoom(for: containers.count),
      templates.kinds.hasRoom(for: kinds.count)
    else {
      templates.isFull = true
      return nil
    }
    var template = template
    let pieces = Self.filled(pieces, 8)
    let values = Self.filled(values, 4)
    template.firstPiece = templates.pieces.add(pieces)
    template.pieceCount = Int32(pieces.count)
    template.firstValue = templates.values.add(values)
    template.valueCount = Int32(values.count)
    template.firstScalar = templates.scalars.add(scalars)
    template.scalarCount = Int32(scalars.count)
    template.firstContainer = templates.containers.add(containers)
    template.containerCount = Int32(containers.count)
    template.firstKind = templates.kinds.add(kinds)
    return templates.templates.add([template])
  }
}

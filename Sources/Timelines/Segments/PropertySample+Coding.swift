internal import EventInput

// A sample as bytes. Numbers are varints unless they say otherwise; a text is its length and its
// UTF-8:
//
//     how many texts, and the texts: paths, formats and crawlers
//     how many shapes; of each how many paths it has, and their places among the texts
//     how many events; of each
//         8 bytes    rank
//         8 bytes    hash
//         the place of the format among the texts
//         the person's digest
//         the place of the crawler, from 1; 0 for none
//         the place of the shape
//         how many of the paths' values look like something; of each
//             its place in the shape, the value's digest, and both looks in a byte each
extension PropertySample {
  var bytes: [UInt8] {
    var tables = Tables()
    var body: [UInt8] = []
    for event in events {
      body.append(littleEndian: event.rank)
      body.append(littleEndian: event.hash)
      body.append(varint: tables.place(of: event.format.rawValue))
      body.append(varint: Int(event.person))
      body.append(varint: event.crawler.map { tables.place(of: $0) + 1 } ?? 0)
      body.append(varint: tables.place(of: event.properties.map { tables.place(of: $0.path) }))
      let seen = event.properties.enumerated().filter { $1.look.code > 0 || $1.memberLook.code > 0 }
      body.append(varint: seen.count)
      for (place, property) in seen {
        body.append(varint: place)
        body.append(varint: Int(property.value))
        body += [property.look.code, property.memberLook.code]
      }
    }
    var bytes = tables.bytes
    bytes.append(varint: events.count)
    return bytes + body
  }

  /// - Throws: `StoredDamage` where bytes make no sense.
  init(_ bytes: [UInt8], limit: Int) throws(StoredDamage) {
    var reader = CheckedByteReader(bytes)
    let texts = try reader.list { reader throws(StoredDamage) in try reader.text() }
    let shapes = try reader.list { reader throws(StoredDamage) in
      let places = try reader.list { reader throws(StoredDamage) in try reader.varint() }
      guard places.allSatisfy(texts.indices.contains) else { throw StoredDamage() }
      return places.map { texts[$0] }
    }
    let events = try reader.list { reader throws(StoredDamage) in
      try SampledEventLooks(&reader, texts, shapes)
    }
    guard reader.isAtEnd, events.count <= limit,
      zip(events, events.dropFirst()).allSatisfy({ $0.precedes($1) })
    else { throw StoredDamage() }
    self.init(limit: limit, events: events)
  }

  private struct Tables {
    private var texts = Places<String>()
    private var shapes = Places<[Int]>()

    mutating func place(of text: String) -> Int { texts.place(of: text) }
    mutating func place(of shape: [Int]) -> Int { shapes.place(of: shape) }

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(varint: texts.items.count)
      for text in texts.items {
        bytes.append(varint: text.utf8.count)
        bytes += text.utf8
      }
      bytes.append(varint: shapes.items.count)
      for shape in shapes.items {
        bytes.append(varint: shape.count)
        for place in shape { bytes.append(varint: place) }
      }
      return bytes
    }
  }

  /// Things in the order in which they were met, each once.
  private struct Places<Item: Hashable> {
    private(set) var items: [Item] = []
    private var places: [Item: Int] = [:]

    mutating func place(of item: Item) -> Int {
      if let known = places[item] { return known }
      places[item] = items.count
      items.append(item)
      return items.count - 1
    }
  }
}

extension SampledEventLooks {
  fileprivate init(
    _ reader: inout CheckedByteReader, _ texts: [String], _ shapes: [[String]]
  ) throws(StoredDamage) {
    let (rank, hash) = (try reader.word(), try reader.word())
    let (format, person) = (try reader.varint(), try reader.varint())
    let (crawler, shape) = (try reader.varint(), try reader.varint())
    guard texts.indices.contains(format), let format = EventFormat.Name(rawValue: texts[format]),
      let person = UInt32(exactly: person), crawler <= texts.count, shapes.indices.contains(shape)
    else { throw StoredDamage() }
    var properties = shapes[shape].map {
      Property(path: $0, value: 0, look: .none, memberLook: .none)
    }
    for _ in 0..<(try reader.count()) {
      let (place, value) = (try reader.varint(), try reader.varint())
      guard properties.indices.contains(place), let value = UInt32(exactly: value),
        let look = PropertyLook(code: try reader.byte()),
        let memberLook = PropertyLook(code: try reader.byte())
      else { throw StoredDamage() }
      properties[place].value = value
      properties[place].look = look
      properties[place].memberLook = memberLook
    }
    self.init(
      rank: rank, hash: hash, format: format, person: person,
      crawler: crawler > 0 ? texts[crawler - 1] : nil, properties: properties)
  }
}

internal import EventInput

/// Finds when users were seen on devices for which that matters.
///
/// Which user was seen on which device is written with the facts, when is not: it decides over few
/// facts (`DeviceStitcher`), and the facts of users carry it themselves.
struct SightingFinder: PartitionPass {
  typealias Problem = SpillError

  private let segments: [Segment]
  private let devices: DeviceFilter
  private var writer: SegmentWriter
  private var moments: [Int64] = []

  /// - Parameters:
  ///   - devices: those whose moments are wanted.
  ///   - target: takes the moments, in lists by partition of the device.
  init(_ segments: [Segment], devices: DeviceFilter, target: SegmentFile) {
    self.segments = segments
    self.devices = devices
    writer = SegmentWriter(target, lists: FactCollector.partitionCount, worker: nil)
  }

  /// Notes the moments of one partition's users.
  mutating func take(partition: Int) throws(SpillError) {
    for list in try SegmentBytes.read(Segment.personLists + partition, of: segments) {
      try list.forEachRecord { (head, reader) throws(SpillError) in
        let device = head.partner
        if device.isMissing || !devices.mayContain(device) { return }
        self.moments.removeAll(keepingCapacity: true)
        FactCoding.read(head.count, from: &reader) { _, fact in
          self.moments.append(fact.timeMilliseconds)
        }
        let seen = RecordHead(key: device, count: head.count, partner: head.key)
        let atMost = SightingCoding.maximumBytes(head.count)
        let moments = self.moments
        try writer.append(seen, to: FactCollector.partition(of: device), atMost: atMost) {
          SightingCoding.append(moments, to: &$0)
        }
      }
    }
  }

  mutating func finish() throws(SpillError) -> Segment { try writer.finish() }
}

internal import EventInput

/// Devices, of which it forgets which: never misses one that was put in, and may take a few others
/// for one of them. Half a megabyte, however many devices.
struct DeviceFilter: Sendable {
  private static let bits: UInt64 = 22
  private var words = [UInt64](repeating: 0, count: 1 << Int(DeviceFilter.bits - 6))
  private(set) var isEmpty = true

  mutating func insert(_ device: IdentifierHash) {
    let place = DeviceFilter.place(of: device)
    words[place >> 6] |= 1 << UInt64(place & 63)
    isEmpty = false
  }

  mutating func formUnion(_ other: DeviceFilter) {
    if other.isEmpty { return }
    for index in words.indices { words[index] |= other.words[index] }
    isEmpty = false
  }

  @inline(__always)
  func mayContain(_ device: IdentifierHash) -> Bool {
    let place = DeviceFilter.place(of: device)
    return words[place >> 6] >> UInt64(place & 63) & 1 != 0
  }

  @inline(__always)
  private static func place(of device: IdentifierHash) -> Int {
    Int(truncatingIfNeeded: device.low & (1 << bits - 1))
  }
}

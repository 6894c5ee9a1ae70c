/// The columns of a batch that is being filled, as bare pointers.
///
/// Invariants: valid only inside `EventBatch.withColumns`; each column holds `EventBatch.capacity`
/// initialised elements, `values` `slotCount` times as many and `slotsBehind`.
@safe struct EventColumns {
  let users: UnsafeMutablePointer<IdentifierHash>
  let devices: UnsafeMutablePointer<IdentifierHash>
  let sessions: UnsafeMutablePointer<UInt32>
  let messages: UnsafeMutablePointer<UInt16>
  let times: UnsafeMutablePointer<Int64>
  let values: UnsafeMutablePointer<UInt32>

  /// How many more slots than rows have may be written behind a row.
  static let slotsBehind = 8
}

extension EventBatch {
  /// How many events are gathered before they are handed on.
  static let capacity = 128

  /// Gives every column its full length, to be filled in place.
  mutating func stretch() {
    func grow<Element>(_ column: inout [Element], to count: Int, _ filler: Element) {
      column.append(contentsOf: repeatElement(filler, count: count - column.count))
    }
    grow(&users, to: Self.capacity, .missing)
    grow(&devices, to: Self.capacity, .missing)
    grow(&sessions, to: Self.capacity, 0)
    grow(&messages, to: Self.capacity, 0)
    grow(&timesMilliseconds, to: Self.capacity, 0)
    grow(&values, to: Self.capacity * slotCount + EventColumns.slotsBehind, 0)
  }

  /// Gives every column the length that `count` says.
  mutating func trim() {
    users.removeLast(users.count - count)
    devices.removeLast(devices.count - count)
    sessions.removeLast(sessions.count - count)
    messages.removeLast(messages.count - count)
    timesMilliseconds.removeLast(timesMilliseconds.count - count)
    values.removeLast(values.count - count * slotCount)
  }

  /// Lends the stretched columns.
  mutating func withColumns<Result>(_ body: (EventColumns) -> Result) -> Result? {
    unsafe users.withUnsafeMutableBufferPointer { users in
      unsafe devices.withUnsafeMutableBufferPointer { devices in
        unsafe sessions.withUnsafeMutableBufferPointer { sessions in
          unsafe messages.withUnsafeMutableBufferPointer { messages in
            unsafe timesMilliseconds.withUnsafeMutableBufferPointer { times in
              unsafe values.withUnsafeMutableBufferPointer { values in
                guard let users = users.baseAddress, let devices = devices.baseAddress,
                  let sessions = sessions.baseAddress, let messages = messages.baseAddress,
                  let times = times.baseAddress
                else { return nil }
                // Without slots there is no column of values, and nobody writes to it.
                let columns = unsafe EventColumns(
                  users: users, devices: devices, sessions: sessions, messages: messages,
                  times: times,
                  values: values.baseAddress
                    ?? UnsafeMutableRawPointer(sessions).assumingMemoryBound(to: UInt32.self))
                return body(columns)
              }
            }
          }
        }
      }
    }
  }
}

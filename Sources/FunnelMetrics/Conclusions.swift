internal import Synchronization

/// What is concluded from numbers that don't change: made once, when it is first asked for.
///
/// A report's documents are made side by side, and nearly all of them speak of its findings. There
/// is one value of each type; another thread that asks while it is made waits. Making one may need
/// another, but never itself. Where the numbers change, their conclusions begin anew.
package final class Conclusions: Sendable {
  private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

  package init() {}

  /// The value of this type; `make` must make it from the numbers alone.
  package func value<Value: Sendable>(_ make: () -> Value) -> Value {
    let place = values.withLock { values in
      let type = ObjectIdentifier(Value.self)
      if let place = values[type] as? Place<Value> { return place }
      let place = Place<Value>()
      values[type] = place
      return place
    }
    return place.value(make)
  }

  private final class Place<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    func value(_ make: () -> Value) -> Value {
      made.withLock { made in
        if let made { return made }
        let value = make()
        made = value
        return value
      }
    }
  }
}

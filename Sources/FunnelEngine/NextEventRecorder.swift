internal import FlowDefinition
internal import Timelines

/// Counts what people did next who dropped off: by group, furthest step, event and time, so that
/// one table holds counts and durations.
struct NextEventRecorder {
  private struct Code: Hashable {
    var group: Int32
    var furthest: Int16
    var bucket: UInt16
    /// As ``Attempt/nextEvent``.
    var event: Int32
  }
  private var counts: [Code: Int] = [:]

  /// Counts a mature attempt that was not finished.
  ///
  /// - Parameter furthest: the furthest step that was viewed; −1 for none.
  mutating func add(_ attempt: Attempt, furthest: Int, group: Int) {
    let isNone = attempt.nextEvent < 0
    let bucket = isNone ? 0 : TimeHistogram.bucket(of: attempt.nextEventMilliseconds)
    let code = Code(
      group: Int32(truncatingIfNeeded: group), furthest: Int16(truncatingIfNeeded: furthest),
      bucket: UInt16(truncatingIfNeeded: bucket), event: attempt.nextEvent)
    counts[code, default: 0] += 1
  }

  /// Gives the counts their names.
  func name(
    _ names: [GroupKey], _ compiled: CompiledFlow, _ named: inout [NextEventKey: SparseTimes]
  ) {
    for (code, count) in counts {
      let key = NextEventKey(
        group: names[Int(code.group)], furthest: code.furthest < 0 ? nil : Int(code.furthest),
        event: event(code.event, compiled))
      named[key, default: SparseTimes()].record(bucket: code.bucket, count: count)
    }
  }

  private func event(_ code: Int32, _ compiled: CompiledFlow) -> NextEvent {
    if code < 0 { return .none }
    let steps = compiled.flow.steps.count
    if code < steps { return .view(Int(code)) }
    let name = UInt32(truncatingIfNeeded: Int(code) - steps)
    return .named(compiled.tables.name(ofActionValue: name, at: compiled.places.event))
  }
}

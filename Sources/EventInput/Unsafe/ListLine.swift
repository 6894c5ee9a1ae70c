/// A line of a dump that holds several events: a list, or an object that wraps one, as apps send
/// that collect events and write what they send to a log.
///
/// Files in which events come that way from the beginning are recognised as a whole
/// (`EventContainer`); this is for single lines among others.
enum ListLine {
  /// The events of a line, each on a line of its own; `nil` if it is no list of objects.
  ///
  /// - Parameters:
  ///   - start: where the line begins.
  ///   - end: its line feed.
  static func events(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> [UInt8]? {
    let line = unsafe UnsafeRawBufferPointer(start: start, count: end - start)
    guard let first = unsafe line.first(where: { $0 > 0x20 }) else { return nil }
    let path: [EventContainer.Component]
    switch first {
    case UInt8(ascii: "["): path = [.each]
    case UInt8(ascii: "{"):
      var survey = unsafe ContainerSurvey(line)
      let found = survey.contents().path
      path = found?.wrapperKeys == nil ? .lists() : found ?? .lists()
    default: return nil
    }
    var walker = unsafe ContainerWalker(path)
    var events: [UInt8] = []
    unsafe walker.take(line, into: &events)
    guard walker.hasArrived, walker.isComplete, !walker.isMismatched, walker.unclosedItems == 0,
      events.first == UInt8(ascii: "{")
    else { return nil }
    return events
  }
}

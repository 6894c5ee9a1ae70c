/// Finds the tables that have every call of other tables once more, without its properties:
/// Segment's and RudderStack's `tracks` beside the events' own tables. Read together, each event
/// would count twice, and the poorer copy as another one.
struct RepeatedCalls {
  private var ofAllEvents: [(source: InputSource, folder: String)] = []
  private var foldersOfEvents: Set<String> = []

  /// Takes note of a table in a folder.
  mutating func note(_ source: InputSource, isOfAllEvents: Bool) {
    let name = source.name
    let folder = String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)])
    if isOfAllEvents {
      ofAllEvents.append((source, folder))
    } else {
      foldersOfEvents.insert(folder)
    }
  }

  /// The tables of all events in folders where events have tables of their own.
  var sources: [InputSource] {
    ofAllEvents.filter { foldersOfEvents.contains($0.folder) }.map(\.source)
  }
}

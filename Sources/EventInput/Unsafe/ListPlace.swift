/// What becomes of a list that stands in the place of an object of which something is wanted.
enum ListPlace: UInt8 {
  /// It is read in a way of its own.
  case elsewhere
  /// One object in it is read as if it stood there alone; any other list is passed over.
  case opened
  /// So it is where an event's properties stand, and a line with any other list can't be used.
  case properties

  /// For each node of a tree, by what a format has there.
  static func places(_ format: EventFormat, _ tree: PathTree) -> [ListPlace] {
    var places = [ListPlace](repeating: .opened, count: tree.nodes.count)
    func set(_ path: [String], _ place: ListPlace) {
      if let node = tree.node(of: path) { places[Int(node)] = place }
    }
    for path in format.properties where !path.isEmpty { set(path, .properties) }
    for path in format.lists + (format.alias?.lists ?? []) { set(path, .elsewhere) }
    for path in format.firstItems { set([ListItem(path[0]).list], .elsewhere) }
    return places
  }
}

/// The leaves of a field that the flow file maps, and in how many lines they had a value.
struct MappedLeaves {
  let field: MappedField
  let own: FixedList<Int>
  let usual: FixedList<Int>
  let usualNames: [String]
  var found = 0
  var elsewhere = 0
  /// The usual leaf that the first of the lines elsewhere had.
  var firstUsual: Int?

  /// `nil` where the plan reads none of the places: they are redacted.
  init?(_ places: MappedPlaces, _ tree: PathTree) {
    let leaves = places.own.compactMap { tree.leaf(of: $0).map(Int.init) }
    if leaves.isEmpty { return nil }
    field = places.field
    own = FixedList(leaves)
    let usual = places.usual.compactMap { path in tree.leaf(of: path).map { (path[0], Int($0)) } }
    self.usual = FixedList(usual.map(\.1))
    usualNames = usual.map(\.0)
  }

  func deallocate() {
    own.deallocate()
    usual.deallocate()
  }

  /// Takes what was counted, and begins anew.
  mutating func take(lines: Int, isEventName: Bool) -> MappedSight {
    var sight = MappedSight(field: field, isEventName: isEventName)
    (sight.lines, sight.found, sight.elsewhere) = (lines, found, elsewhere)
    sight.usual = firstUsual.map { usualNames[$0] }
    (found, elsewhere, firstUsual) = (0, 0, nil)
    return sight
  }
}

// What is said of a mapping that no line fits: plans without mappings never come here.
extension EventScanner {
  /// Takes note of where the line that was just walked has what the flow file maps.
  @inline(never)
  func noteMapped() {
    unsafe state.pointee.linesWithMapping += 1
    let mapped = unsafe state.pointee.mapped
    for index in 0..<mapped.count {
      let leaves = unsafe mapped[index]
      if unsafe holds(leaves.pointee.own) != nil {
        unsafe leaves.pointee.found += 1
      } else if let place = unsafe holds(leaves.pointee.usual) {
        unsafe leaves.pointee.elsewhere += 1
        if unsafe leaves.pointee.firstUsual == nil { unsafe leaves.pointee.firstUsual = place }
      }
    }
  }

  /// The first of the leaves with a value.
  private func holds(_ leaves: FixedList<Int>) -> Int? {
    for index in 0..<leaves.count {
      let leaf = unsafe leaves[index].pointee
      if unsafe lines.kinds[leaf] != ValueKind.missing && lines.starts[leaf] != lines.ends[leaf] {
        return index
      }
    }
    return nil
  }
}

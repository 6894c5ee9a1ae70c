/// The paths of a plan as a tree: nodes are objects, leaves are values that someone asked for.
///
/// Leaves are numbered so that those below a node are consecutive: an object that comes a second
/// time wipes out what the first one held.
struct PathTree {
  struct Child {
    var name: [UInt8]
    /// -1 where only what is inside the value matters.
    var leaf: Int32
    /// -1 where nothing inside the value matters.
    var node: Int32
  }
  struct Node {
    var children: [Child] = []
    var leaves: Range<Int32> = 0..<0
  }

  private(set) var nodes: [Node] = []
  private(set) var leafCount: Int32 = 0
  private var leafOfPath: [[String]: Int32] = [:]

  init(paths: [[String]]) {
    _ = build(prefix: [], paths: paths.filter { !$0.isEmpty })
  }

  func leaf(of path: [String]) -> Int32? { leafOfPath[path] }

  /// What is wanted of a key in a node: of one that is there by its whole name, else of one that
  /// stands for all keys with its beginning.
  func child(of node: Int32, named key: UnsafeBufferPointer<UInt8>) -> Child? {
    let children = nodes[Int(node)].children
    return children.first { unsafe $0.name.elementsEqual(key) }
      ?? children.first { unsafe $0.name.last == 0 && key.starts(with: $0.name.dropLast()) }
  }

  /// The node of what is inside all keys with some beginning at the root; -1 where there is none.
  var sharedNode: Int32 {
    nodes.first?.children.first { $0.name.last == 0 && $0.node >= 0 }?.node ?? -1
  }

  /// The node of what is inside the value at a path; nil where nothing of it matters.
  func node(of path: [String]) -> Int32? {
    var node: Int32 = 0
    for name in path {
      let child = nodes[Int(node)].children.first { $0.name == Array(name.utf8) }
      guard let inside = child?.node, inside >= 0 else { return nil }
      node = inside
    }
    return node
  }

  /// Makes the node of all paths that begin with `prefix`.
  private mutating func build(prefix: [String], paths: [[String]]) -> Int32 {
    let number = nodes.count
    nodes.append(Node())
    let first = leafCount
    var names: [String] = []
    var pathsOfName: [String: [[String]]] = [:]
    for path in paths {
      let name = path[prefix.count]
      if pathsOfName[name] == nil { names.append(name) }
      pathsOfName[name, default: []].append(path)
    }
    for name in names {
      let path = prefix + [name]
      let own = pathsOfName[name] ?? []
      let inside = own.filter { $0.count > path.count }
      var child = Child(name: Array(name.utf8), leaf: -1, node: -1)
      if inside.count < own.count {
        child.leaf = leafCount
        leafOfPath[path] = leafCount
        leafCount += 1
      }
      if !inside.isEmpty { child.node = build(prefix: path, paths: inside) }
      nodes[number].children.append(child)
    }
    nodes[number].leaves = first..<leafCount
    return Int32(number)
  }
}

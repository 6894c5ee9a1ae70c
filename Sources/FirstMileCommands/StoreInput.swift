import EventInput
import FirstMileStore
import FlowDefinition

/// What commands that read from a store take from it besides facts.
enum StoreInput {
  /// The flows that facts were kept for.
  static func flows(of path: String) throws -> [Flow] {
    let store = try FactStore(path: path, access: .read)
    defer { try? store.close() }
    let flows = try store.flows()
    if flows.isEmpty { throw CommandError("the store '\(path)' names no flow; give --flow") }
    return flows
  }

  /// What its ids are hashed with.
  static func key(of path: String) throws -> IdentifierKey {
    let store = try FactStore(path: path, access: .read)
    defer { try? store.close() }
    return store.key
  }
}

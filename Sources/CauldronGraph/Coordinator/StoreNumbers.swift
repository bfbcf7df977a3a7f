import CauldronModel

/// Numbers the open stores of the process, so that an object ID can name its store in four bytes.
package enum StoreNumbers {
  private struct Entry: Sendable {
    weak var store: NamedStore?
  }

  private static let state = Locked<(next: Int32, open: [Int32: Entry])>((1, [:]))

  package static func next() -> Int32 {
    state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Makes a store known by its number, for as long as what is returned is kept.
  static func register(_ store: NamedStore, _ number: Int32) -> NamedStore {
    state.withLock { $0.open[number] = Entry(store: store) }
    return store
  }

  static func store(_ number: Int32) -> NamedStore? { state.withLock { $0.open[number]?.store } }
}

/// What an object ID tells of its store beside the numbers.
///
/// It is an object of its own so that the coordinator, which is retained all the time, is not the
/// one that weak references lead to: they make that slower.
final class NamedStore: Sendable {
  /// The store's UUID.
  let identifier: String
  private let model: ManagedObjectModel
  private let keys: KeyAllocator

  init(identifier: String, model: ManagedObjectModel, keys: KeyAllocator) {
    self.identifier = identifier
    self.model = model
    self.keys = keys
  }

  func layout(_ id: ManagedObjectID) -> EntityLayout? { model.layout(number: id.entityNumber) }

  /// The key that an object has now.
  func final(_ id: ManagedObjectID) -> Int64 { keys.provisional.final(id.key, id.entityNumber) }

  func isUncommitted(_ id: ManagedObjectID, _ layout: EntityLayout) -> Bool {
    keys.isUncommitted(id.key, layout.root.number)
  }
}

public import CauldronModel
import CauldronStore
public import Foundation

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
  package static func register(_ store: NamedStore, as number: Int32) -> NamedStore {
    IDCoding.set(coding)
    state.withLock { $0.open[number] = Entry(store: store) }
    return store
  }

  package static func store(_ number: Int32) -> NamedStore? {
    state.withLock { $0.open[number]?.store }
  }

  /// How IDs are written for others, and read.
  private static let coding = IDCoding.Ways(
    write: { id in
      guard let store = store(id.storeNumber) else {
        throw notFound(id.description, reason: "is closed")
      }
      guard !store.isUncommitted(id) else {
        throw CauldronError(
          .objectNotFound, "Object \(id) is not in its store yet, so nobody else could find it.",
          hint: "Save it first.")
      }
      return id.description
    },
    print: { $0.description },
    read: { text in
      let parts = text.split(separator: "/", omittingEmptySubsequences: true)
      guard parts.count == 4, parts[0] == "x-coredata:", parts[3].first == "p",
        let key = Int64(parts[3].dropFirst()), let name = parts[2].removingPercentEncoding
      else { throw CauldronError(.objectNotFound, "\"\(text)\" is no object's URI.") }
      let all = state.withLock { state in
        state.open.compactMap { number, entry in entry.store.map { (number, $0) } }
      }
      let open = all.filter { $1.identifier.uppercased() == parts[1].uppercased() }
      // The one that was opened last, where a test has opened it several times.
      guard let (number, store) = open.max(by: { $0.0 < $1.0 }) else {
        throw notFound(text, reason: "is not open")
      }
      guard let entity = store.entityNumber(name) else {
        throw CauldronError(.objectNotFound, "Object \(text) is of no entity of its store's model.")
      }
      return ManagedObjectID(key: key, entityNumber: entity, storeNumber: number)
    })

  private static func notFound(_ uri: String, reason what: String) -> CauldronError {
    CauldronError(.objectNotFound, "The store of object \(uri) \(what).", hint: "Open it first.")
  }
}

/// What an object ID tells of its store beside the numbers.
///
/// It is an object of its own so that the coordinator, which is retained all the time, is not the
/// one that weak references lead to: they make that slower.
package final class NamedStore: Sendable {
  /// The store's UUID.
  package let identifier: String
  private let model: ManagedObjectModel
  private let keys: KeyAllocator

  init(identifier: String, model: ManagedObjectModel, keys: KeyAllocator) {
    self.identifier = identifier
    self.model = model
    self.keys = keys
  }

  package func entityNumber(_ name: String) -> Int32? {
    model.layout(namedNowOrBefore: name)?.number
  }

  package func layout(_ id: ManagedObjectID) -> EntityLayout? {
    model.layout(number: id.entityNumber)
  }

  /// The key that an object has now.
  package func final(_ id: ManagedObjectID) -> Int64 {
    keys.provisional.final(id.key, entity: id.entityNumber)
  }

  /// Whether an object is not in the store yet, so that only this process could find it.
  package func isUncommitted(_ id: ManagedObjectID) -> Bool {
    layout(id).map { keys.isUncommitted(id.key, root: $0.rootNumber) } ?? false
  }
}

extension ManagedObjectID: CustomStringConvertible {
  /// Whether the ID will be another one: no key of the store could be reserved for the object yet.
  ///
  /// It is false as soon as the object has a key of the store, mostly from the start; else after
  /// ``ManagedObjectContext/obtainPermanentIDs(for:)`` or the save to the store. Whether the object itself is in
  /// the store is another question, which ``ManagedObject/isInserted`` answers.
  public var isTemporaryID: Bool {
    guard let store = StoreNumbers.store(storeNumber) else { return false }
    return store.final(self) < 0
  }

  /// The name of the object's entity; empty once the store is closed.
  public var entityName: String {
    StoreNumbers.store(storeNumber)?.layout(self)?.name ?? ""
  }

  /// `x-coredata://<store UUID>/<Entity>/p<key>`, as Core Data writes it; with `t<number>` as long as
  /// the object has no key of the store's.
  public var uriRepresentation: URL { URL(string: description) ?? URL(filePath: description) }

  /// `x-coredata://<store UUID>/<Entity>/p<key>`, or `t<number>`; see ``uriRepresentation``.
  public var description: String {
    let store = StoreNumbers.store(storeNumber)
    let key = store?.final(self) ?? self.key
    let last = key < 0 ? "t\(ProvisionalKeys.number(key))" : "p\(key)"
    return "x-coredata://\(store?.identifier ?? "")/\(entityName)/\(last)"
  }
}

public import CauldronModel
public import Foundation

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

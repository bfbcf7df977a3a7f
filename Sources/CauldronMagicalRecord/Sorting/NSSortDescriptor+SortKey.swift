import Cauldron
import Foundation

extension NSSortDescriptor {
  /// What a request for objects of a class sorts by.
  /// - Throws: `query.unknownKey` for a key path that leads to no property of the class.
  func sortKey(of type: ManagedObject.Type) throws -> SortKey {
    if let key { return SortKey(key, ascending: ascending) }
    if let name = KeyPathTable.table(for: type)[keyPath] {
      return SortKey(name, ascending: ascending)
    }
    throw CauldronError(
      .queryUnknownKey, "Cannot sort \(type) by \(keyPath).",
      hint: "Sort by the key path of one of its properties, or by a key.")
  }
}

package import CauldronModel
import CauldronQuery
package import CauldronStore

extension ManagedObject {
  /// The value of an attribute as the object shows it; its row is read where it was not.
  package final func importedScalar(at index: Int, storage: StorageClass) -> AttributeScalar {
    _ready()
    return RowPointer(row).scalar(index, storage)
  }

  /// The values of a unique key; nil where one of them is nil, which is equal to nothing.
  package final func importedUniqueValues(_ key: UniqueKey) -> UniqueValues? {
    _ready()
    let layout = layout
    // Below another entity the same properties have the same numbers.
    return UniqueValue(key).values(of: RowPointer(row)).map {
      UniqueValues($0, of: key, in: layout)
    }
  }

  /// Whether the object is there, as far as the context sees.
  package final var isThereForImport: Bool { isAlive }
}

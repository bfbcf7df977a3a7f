package import CauldronModel

extension ManagedObject {
  /// The value of an attribute as the object shows it; its row is read where it was not.
  package final func importedScalar(_ index: Int, _ storage: StorageClass) -> AttributeScalar {
    _ready()
    return RowPointer(row).scalar(index, storage)
  }

  /// Whether the object is there, as far as the context sees.
  package final var isThereForImport: Bool { state.isDisjoint(with: [.gone, .deleted]) }
}

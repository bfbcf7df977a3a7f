import CauldronModel

/// What a context hands to an object that it makes.
///
/// The object takes over a retain of the row's block, and retains the core by itself.
public struct _ObjectSeed {
  let core: Unmanaged<ContextCore>
  let row: RowPointer
  let key: Int64
  let entityNumber: Int32
  let state: ObjectState
}

@available(*, deprecated, renamed: "_ObjectSeed")
public typealias ObjectSeed = _ObjectSeed

extension ContextCore {
  /// Makes one object; the caller registers it.
  func makeObject(
    _ layout: EntityLayout, _ key: Int64, _ row: RowPointer, _ state: ObjectState
  ) -> ManagedObject {
    makeObject(layout, seed(layout, key, row, state))
  }

  /// Makes one object, which takes over a retain of the row's block.
  func makeObject(
    _ layout: EntityLayout, _ key: Int64, retained row: RowPointer, _ state: ObjectState
  ) -> ManagedObject {
    makeObject(layout, seed(layout, key, retained: row, state))
  }

  /// What one object is made of.
  func seed(
    _ layout: EntityLayout, _ key: Int64, _ row: RowPointer, _ state: ObjectState
  ) -> _ObjectSeed {
    _ = Unmanaged.passRetained(row.block)
    return seed(layout, key, retained: row, state)
  }

  private func seed(
    _ layout: EntityLayout, _ key: Int64, retained row: RowPointer, _ state: ObjectState
  ) -> _ObjectSeed {
    _ObjectSeed(
      core: .passUnretained(self), row: row, key: key, entityNumber: layout.number, state: state)
  }

  private func makeObject(_ layout: EntityLayout, _ seed: _ObjectSeed) -> ManagedObject {
    place.unretained.classes._withUnsafeGuaranteedRef { $0.type(layout) }.init(_seed: seed)
  }
}

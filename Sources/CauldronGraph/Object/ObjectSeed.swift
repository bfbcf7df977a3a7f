import CauldronModel

/// What a context hands to an object that it makes.
public struct ObjectSeed {
  let core: ContextCore
  unowned(unsafe) let layout: EntityLayout
  let key: Int64
  let row: RowPointer
  let owner: RowBlock
  let state: ObjectState
}

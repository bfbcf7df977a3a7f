import CauldronModel

/// What a context hands to an object that it makes.
///
/// The object takes over a retain of the row's block, and retains the core by itself.
public struct _ObjectSeed {
  let owner: ObjectOwner
  let row: RowPointer
  let key: Int64
  let entityNumber: Int32
  let state: ObjectState
}

/// The old name of what only macros use.
@available(*, deprecated, renamed: "_ObjectSeed")
public typealias ObjectSeed = _ObjectSeed

/// The context that objects are made for, as objects know it: nobody can ask it for anything.
struct ObjectOwner {
  private let core: Unmanaged<ContextCore>

  init(_ core: ContextCore) { self.core = .passUnretained(core) }

  /// The context, retained for an object.
  @inline(__always)
  func retained() -> Unmanaged<ContextCore> { core.retain() }
}

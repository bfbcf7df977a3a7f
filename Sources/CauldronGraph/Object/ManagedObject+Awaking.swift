public import CauldronModel

// The hook that tells an object of its row runs where the row is read, in the middle of a getter. Getters
// of other classes promise the compiler that nothing is released meanwhile, which a program's own code
// cannot promise; so the classes that have such code have getters of their own.
extension ManagedObject {
  /// Makes sure that the row is read, and that the object was told of it.
  @inlinable @inline(__always)
  final func _ready() {
    if state.mustAwake { _awake() }
  }

  /// Transient values may be what the hook has set; other classes read nothing for them.
  final func awakeForTransients() {
    let awakes = core._withUnsafeGuaranteedRef { $0.place.awakes && $0.hooks.awakesFromFetch(self) }
    if awakes { _ready() }
  }

  @usableFromInline @inline(never)
  final func _awake() { core._withUnsafeGuaranteedRef { $0.reader.ready(self) } }

  /// Serves generated code: reads an attribute of a class that overrides ``awakeFromFetch()``.
  @inlinable @inline(__always)
  public final func _get<Value: AttributeValue>(
    _ index: Int, _ access: _AwakingAccess.Type
  ) -> Value {
    _check()
    _ready()
    return _readUnchecked(index)
  }

  /// Serves generated code: writes an attribute of a class that overrides ``awakeFromFetch()``.
  @inlinable @inline(__always)
  public final func _set<Value: AttributeValue>(
    _ index: Int, _ value: Value, _ access: _AwakingAccess.Type
  ) {
    _check()
    _ready()
    _set(index, value, _PlainAccess.self)
  }
}

/// Names the accessors of classes that are not told when their rows are read.
public enum _PlainAccess {}

/// Names the accessors of classes that override ``ManagedObject/awakeFromFetch()``; the `@Entity` macro
/// names it in such a class, and subclasses inherit that.
public enum _AwakingAccess {}

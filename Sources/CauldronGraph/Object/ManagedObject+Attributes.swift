public import CauldronModel

extension ManagedObject {
  /// Makes sure that the calling code may use the object.
  ///
  /// The quick test compares the thread with the context's last proven owner; everything else is
  /// out of line.
  @inlinable @inline(__always)
  package final func _check() {
    if !core._withUnsafeGuaranteedRef({ $0.isCurrent }) { _proveOwner() }
  }

  /// Serves generated code: reads an attribute.
  /// - Complexity: O(1) for numbers; one statement if the object is a fault that no cache knows.
  @inlinable @inline(__always)
  public final func _get<Value: AttributeValue>(
    _ index: Int, _ access: _PlainAccess.Type
  ) -> Value {
    _check()
    return _readUnchecked(index)
  }

  /// Serves measurements: reads an attribute as `_get` does, without asking who reads.
  @_spi(Measuring) @inlinable @inline(__always)
  public final func _getUnchecked<Value: AttributeValue>(_ index: Int) -> Value {
    _readUnchecked(index)
  }

  @inlinable @inline(__always)
  final func _readUnchecked<Value: AttributeValue>(_ index: Int) -> Value {
    if state.mustFire { _fire() }
    return Value._read(
      slot: _RowAccess.slot(row, index), row: UnsafePointer(row),
      isNull: Value._isOptional && _isNull(index))
  }

  /// Serves generated code: writes an attribute.
  /// - Complexity: O(1), plus the length of a text.
  @inlinable @inline(__always)
  public final func _set<Value: AttributeValue>(
    _ index: Int, _ value: Value, _ access: _PlainAccess.Type
  ) {
    _check()
    if state.mustPrepareWrite { _prepareWrite(index) }
    if value._isNull {
      _setNull(index)
    } else if Value._isInline {
      _setSlot(index, value._slot)
    } else {
      value._withBytes { _setBytes(index, $0) }
    }
  }

  @inlinable @inline(__always)
  final func _isNull(_ index: Int) -> Bool { _RowAccess.isNull(row, index) }

  @inlinable @inline(__always)
  final func _setNull(_ index: Int) { _RowAccess.setNull(row, index) }

  @inlinable @inline(__always)
  final func _setSlot(_ index: Int, _ slot: Int64) {
    _RowAccess.setSlot(row, index, slot)
  }

  @usableFromInline
  final func _setBytes(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
    core._withUnsafeGuaranteedRef { core in
      let layout = core.place.layouts[Int(entityNumber) - 1]
      let new = core.drafts.builder.setBytes(index, bytes, of: RowPointer(row), layout)
      if new.words != row { move(to: new) }
    }
  }

  // What follows is rarely called. It releases nothing that the caller holds, and saying so spares
  // every property access a retain and a release of the object.

  @usableFromInline @inline(never) @_effects(releasenone)
  final func _proveOwner() { core._withUnsafeGuaranteedRef { $0.proveOwner() } }

  @usableFromInline @inline(never) @_effects(releasenone)
  final func _fire() { core._withUnsafeGuaranteedRef { $0.reader.fire(self) } }

  @usableFromInline @inline(never) @_effects(releasenone)
  final func _prepareWrite(_ index: Int) {
    noteChange(of: index)
    if !isWritable { core._withUnsafeGuaranteedRef { $0.editor.prepareWrite(self) } }
  }

  /// A property's value as it stands in the object; of a fault nothing is read, and the answer is nil.
  ///
  /// Otherwise as ``value(forKey:)``.
  public final func primitiveValue(forKey key: String) -> Any? {
    _check()
    let property = knownProperty(key)
    if property.isComposite { return composite(property) }
    if property.kind == .transient { return transientValue(property.index) }
    return isFault ? nil : value(forKey: key)
  }

  /// Sets an attribute or a transient property and tells nobody: it is no change, so that
  /// ``changedValues()`` does not have it, nothing is saved because of it, and observers are not told.
  ///
  /// ```swift
  /// try person.setPrimitiveValue(sum, forKey: "total")
  /// ```
  /// The value shows until others' values are taken in. Only what is then set to another value is saved.
  /// Of an object that this context has created it is saved with the rest, and so is what ``willSave()`` sets
  /// of its own object. A fault's row is read first, which would replace the value.
  /// - Throws: As ``setValue(_:forKey:)``; for a relationship, whose other side would not follow, too.
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) throws {
    _check()
    let property = try property(key)
    if property.derivation != nil { throw CauldronError.derived(property, of: layout) }
    switch property.kind {
    case .attribute(let type):
      _ready()
      setPrimitive(at: property.index, to: try scalar(value, for: property, type: type))
    case .transient where property.isComposite:
      for (element, value) in try elementValues(of: property, in: value) {
        try setPrimitiveValue(value, forKey: element.name)
      }
    case .transient:
      awakeForTransients()
      makeExtras().transient[property.index] = value
    case .toOne, .toMany:
      throw CauldronError(
        .queryTypeMismatch,
        "\(layout.name).\(property.name) is a relationship, which has no primitive value to be set.",
        hint: "Use setValue(_:forKey:), which keeps the other side in step.")
    }
  }

  private func setPrimitive(at index: Int, to scalar: AttributeScalar) {
    core._withUnsafeGuaranteedRef { core in
      if isSaving, isAlive {
        setForSave(at: index, to: scalar, in: core)
      } else if isNew {
        setScalar(at: index, to: scalar)
      } else {
        if extras?.edits.eventBase != nil { core.publisher.publish() }
        core.drafts.setUntracked(self, at: index, to: scalar)
      }
    }
  }

  /// Sets an attribute for the save that asks the object to make itself ready: it is written with the rest,
  /// and is no reason to ask again.
  private func setForSave(at index: Int, to scalar: AttributeScalar, in core: ContextCore) {
    core.publisher.publish()
    extras?.edits.track(index)
    if !isWritable { core.editor.prepareWrite(self) }
    let new = core.drafts.builder.set(index, scalar, of: RowPointer(row), layout)
    if new.words != row { move(to: new) }
    core.publisher.publishUnrecorded()
  }
}

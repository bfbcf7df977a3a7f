import CauldronModel

extension ManagedObject {
  /// A property's value as it stands in the object; of a fault nothing is read, and the answer is nil.
  ///
  /// Otherwise as ``value(forKey:)``.
  public final func primitiveValue(forKey key: String) -> Any? {
    _check()
    let property = knownProperty(key)
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

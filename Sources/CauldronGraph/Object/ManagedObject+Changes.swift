public import CauldronModel

extension ManagedObject {
  /// The properties that this context has changed and not saved, with their new values.
  ///
  /// Transient properties and to-many relationships are not in it; nil values are `NSNull`-free:
  /// they are in the dictionary as `Optional.none`.
  /// - Complexity: O(properties).
  public final func changedValues() -> [String: Any?] {
    _check()
    var result: [String: Any?] = [:]
    for property in changedProperties {
      result.updateValue(value(forKey: property), forKey: property)
    }
    return result
  }

  /// The values as of the last save or read, by property; all attributes and to-one references.
  /// - Complexity: O(properties).
  public final func committedValues() -> [String: AttributeScalar] {
    _check()
    if state.contains(.fault) { _fire() }
    let inserted = state.contains(.inserted) && extras?.committed == nil
    let base =
      inserted ? layout.zero.row : extras?.committed?.row ?? RowPointer(row)
    var result: [String: AttributeScalar] = [:]
    for property in layout.properties {
      guard let storage = property.storageClass else { continue }
      result[property.name] = base.scalar(property.index, storage)
    }
    return result
  }

  /// Whether a saved value would change in the store.
  public final var hasPersistentChangedValues: Bool { !changedProperties.isEmpty }

  /// The properties whose values differ from those of the last save.
  var changedProperties: [String] {
    let base: RowPointer
    if let committed = extras?.committed {
      base = committed.row
    } else if state.contains(.inserted) {
      base = layout.zero.row
    } else {
      return []
    }
    return RowPointer(row).difference(from: base, layout).indices.map { layout.properties[$0].name }
  }
}

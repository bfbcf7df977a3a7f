import CauldronLedger
public import CauldronModel
import CauldronStore

extension ManagedObject {
  /// The properties that this context has changed and not saved, with their new values.
  ///
  /// To-many relationships are in it, too, whichever side was changed; transient properties are not, nor
  /// what ``setPrimitiveValue(_:forKey:)`` has set. A value that was cleared is there as
  /// `Optional.none`.
  /// - Complexity: O(properties and changes); a to-many relationship that was changed is read. Where the
  ///   entity has to-many relationships, the first question after a save, or after others' changes were
  ///   taken in, takes O(objects that the context has not saved).
  public final func changedValues() -> [String: Any?] {
    _check()
    return values(of: changedProperties + toManyChanges(ofEvent: false).keys)
  }

  /// The properties that the running event has changed, with their new values: what was changed since the
  /// context last told of its changes.
  /// - Complexity: As ``changedValues()``.
  public final func changedValuesForCurrentEvent() -> [String: Any?] {
    _check()
    let changed = names(of: own(eventProperties))
    return values(of: changed + toManyChanges(ofEvent: true).keys)
  }

  /// The values as of the last save or read, by property; all attributes and to-one references.
  /// - Complexity: O(properties).
  public final func committedValues() -> [String: AttributeScalar] {
    _check()
    _ready()
    let base = committedRow
    var result: [String: AttributeScalar] = [:]
    for property in layout.declaredProperties {
      guard let storage = property.storageClass else { continue }
      result[property.name] = base.scalar(property.index, storage)
    }
    return result
  }

  /// The values as of the last save or read, as ``value(forKey:)`` gives them; of a new object, those that
  /// it was created with.
  ///
  /// ```swift
  /// let before = person.committedValues(forKeys: ["name"])["name"] as? String
  /// ```
  /// An unknown name is the programmer's mistake and traps; transient properties are left out.
  /// - Parameter keys: The properties' names; nil for all.
  /// - Returns: By name; `Optional.none` for no value.
  /// - Complexity: O(properties); a to-many relationship that was not walked yet is read.
  public final func committedValues(forKeys keys: [String]?) -> [String: Any?] {
    _check()
    _ready()
    let base = committedRow
    let properties = keys.map { $0.map(knownProperty) } ?? layout.declaredProperties
    let isToMany = properties.contains { $0.kind == .toMany }
    let changes = isToMany ? toManyChanges(ofEvent: false) : [:]
    var result: [String: Any?] = [:]
    for property in properties {
      switch property.kind {
      case .attribute:
        let isNull = base.isNull(property.index)
        result.updateValue(isNull ? nil : Self.box(base, of: property), forKey: property.name)
      case .toOne:
        result.updateValue(destination(of: property, in: base), forKey: property.name)
      case .toMany:
        let change = changes[property.name] ?? ToManyChange()
        let now = destinations(property.index)
        let places = extras?.toMany[property.index]?.placesByID ?? [:]
        result.updateValue(change.before(now, current: places), forKey: property.name)
      case .transient: continue
      }
    }
    return result
  }

  /// Whether a save of the object's own row would change it in the store: an attribute or a to-one
  /// relationship is another than it was.
  public final var hasPersistentChangedValues: Bool { !changedIndices.isEmpty }

  /// The attributes and to-one relationships whose values differ from those of the last save.
  var changedProperties: [String] { names(of: changedIndices) }

  /// The names of those of them that the model has.
  private func names(of indices: [Int]) -> [String] {
    indices.lazy.map { self.layout.properties[$0] }.filter { !$0.isHidden }.map(\.name)
  }

  /// Their indexes.
  var changedIndices: [Int] {
    let base: RowPointer
    if let committed = extras?.edits.committed {
      base = committed.row
    } else if isNew {
      base = layout.zero.row
    } else {
      return []
    }
    return own(edits(since: base))
  }

  /// Those of changed properties that are the program's to change: the store derives the others.
  private func own(_ changed: PropertySet) -> [Int] {
    let derived = layout.digest.derived
    return derived.isEmpty
      ? Array(changed.indices) : changed.indices.filter { !derived.contains($0) }
  }

  /// The row as of the last save or read.
  var committedRow: RowPointer {
    let isNew = isNew && extras?.edits.committed == nil
    return isNew ? layout.template.row : extras?.edits.committed?.row ?? trackedRow
  }

  /// What the running event has changed of the object's own row.
  private var eventProperties: PropertySet {
    if let untold = untoldChange {
      guard let base = untold.base else { return edits(since: layout.zero.row) }
      return unpublishedProperties.union(untold.changed).intersection(edits(since: base))
    }
    return unpublishedProperties
  }

  /// What the running event has done to the object, and has published already; nil for nothing.
  var untoldChange: UntoldChange? {
    core._withUnsafeGuaranteedRef {
      $0.event.untold.change(of: registeredID, $0.coordinator.ledger)
    }
  }

  /// What the running event has changed of the object's own row and not published.
  private var unpublishedProperties: PropertySet {
    guard isInEvent else { return PropertySet() }
    if let base = extras?.edits.eventBase { return edits(since: base.row) }
    return isNew ? edits(since: layout.zero.row) : PropertySet()
  }

  private func values(of names: [String]) -> [String: Any?] {
    var result: [String: Any?] = [:]
    for name in names { result.updateValue(value(forKey: name), forKey: name) }
    return result
  }

  private func destination(of property: PropertyLayout, in row: RowPointer) -> ManagedObject? {
    core._withUnsafeGuaranteedRef { core in
      core.keys.reference(in: row, property).flatMap { core.reader.object(with: $0) }
    }
  }

  /// What a save would meet in this object as things stand: properties with unsaved edits that
  /// others have changed since, or their deletion of the object. Empty where nothing is in conflict.
  ///
  /// ```swift
  /// for property in person.conflicts.flatMap(\.properties) {
  ///   print(property.name, property.theirs as Any, property.mine as Any)
  /// }
  /// ```
  /// `refresh(_:mergeChanges:)` decides them, for the own values with true, for the others' with
  /// false.
  /// - Complexity: No statement where the row is cached, else one; O(the context's unsaved layers).
  public final var conflicts: [MergeConflict] {
    _check()
    return core._withUnsafeGuaranteedRef { $0.reader.conflict(of: self).map { [$0] } ?? [] }
  }
}

extension Reader {
  /// The unsaved edits of an object, those of the running event included.
  private struct Edit {
    var was: RowPointer
    var mine: RowPointer
    var changed: PropertySet
  }

  func conflict(of object: ManagedObject) -> MergeConflict? {
    keys.settleRefreshes()
    if object.isDeleted { return conflict(ofDeleted: object) }
    guard object.isEdited, !object.isNew else { return nil }
    let layers = place.coordinator.ledger.layers(of: place.node)
    guard let edit = withExtendedLifetime(layers, { edit(of: object, layers) }) else { return nil }
    let below: HeldRow?
    do {
      below = try row(below: object)
    } catch {
      // The save reports a row that cannot be read.
      return nil
    }
    guard let theirs = below else {
      return MergeConflict(
        object.objectID, object.layout, was: edit.was, theirs: nil, mine: edit.mine, edit.changed)
    }
    return withExtendedLifetime(theirs) {
      let both = theirs.row.difference(from: edit.was, object.layout).intersection(edit.changed)
      guard !both.isEmpty else { return nil }
      return MergeConflict(
        object.objectID, object.layout, was: edit.was, theirs: theirs.row, mine: edit.mine, both)
    }
  }

  private func conflict(ofDeleted object: ManagedObject) -> MergeConflict? {
    if object.isFault || object.isGone { return nil }
    // Without a row it was never saved, or is deleted there as well.
    guard let theirs = try? row(below: object) else { return nil }
    return withExtendedLifetime(theirs) {
      let was = object.committedRow
      let both = theirs.row.difference(from: was, object.layout)
        .subtracting(PropertySet(object.layout.digest.derived))
      if both.isEmpty { return nil }
      return MergeConflict(
        object.objectID, object.layout, was: was, theirs: theirs.row, mine: nil, both)
    }
  }

  private func edit(of object: ManagedObject, _ layers: [Layer]) -> Edit? {
    var edit: Edit?
    for layer in layers where layer.isUnsaved(of: place.node) {
      guard case .updated(let update) = layer.changes.change(object.objectID) else { continue }
      add(Edit(was: update.base, mine: update.row, changed: update.changed), to: &edit, of: object)
    }
    if let extras = object.extras, let base = extras.edits.eventBase {
      let changed = object.eventEdits(since: base.row)
      add(
        Edit(was: base.row, mine: RowPointer(object.row), changed: changed), to: &edit, of: object)
    }
    return edit
  }

  private func add(_ newer: Edit, to edit: inout Edit?, of object: ManagedObject) {
    guard let older = edit else {
      edit = newer
      return
    }
    let was = drafts.builder.merge(older.changed, from: older.was, onto: newer.was, object.layout)
    edit = Edit(was: was, mine: newer.mine, changed: older.changed.union(newer.changed))
  }
}

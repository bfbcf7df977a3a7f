public import CauldronModel

/// The changes of one event, or of several merged ones: immutable, and passed by reference.
package final class ChangeSet: Sendable {
  /// The set's number in its coordinator; a set is applied at most once.
  package let id: UInt64
  /// The changes by concrete entity, in the order of entity numbers.
  package let entities: [EntityChanges]
  /// The numbers of the sets that this one was made from lie here; some others may, too.
  package let makers: ClosedRange<UInt64>

  /// - Parameter sources: The sets that this one is made from.
  package init(id: UInt64, entities: [EntityChanges], from sources: [ChangeSet] = []) {
    self.id = id
    makers = sources.reduce(id...id) {
      min($0.lowerBound, $1.makers.lowerBound)...max($0.upperBound, $1.makers.upperBound)
    }
    self.entities = entities.sorted { $0.entity.number < $1.entity.number }
  }

  /// The number of rows it touches.
  package var count: Int { entities.reduce(0) { $0 + $1.count } }
  package var insertedCount: Int { objects.reduce(0) { $0 + $1.inserted.count } }
  package var updatedCount: Int { objects.reduce(0) { $0 + $1.updated.count } }
  package var deletedCount: Int { objects.reduce(0) { $0 + $1.deleted.count } }
  /// The number of links that it makes, moves and takes away.
  package var linkCount: Int { entities.reduce(0) { $0 + ($1.entity.isJoin ? $1.count : 0) } }

  /// Whether a policy has brought one of the objects back.
  package var hasRestored: Bool { entities.contains(where: \.hasRestored) }

  /// What it does to objects.
  private var objects: some Sequence<EntityChanges> { entities.lazy.filter { !$0.entity.isJoin } }

  /// The links that it changes.
  package var joins: some Sequence<EntityChanges> { entities.lazy.filter(\.entity.isJoin) }

  /// The changes to rows of one concrete entity.
  package func changes(to entityNumber: Int32) -> EntityChanges? {
    entities.first { $0.entity.number == entityNumber }
  }

  /// What happens to the object with an ID.
  package func change(_ id: ManagedObjectID) -> RowChange? {
    changes(to: id.entityNumber)?.change(id.key)
  }
}

/// What a change set does to one row.
package enum RowChange: Sendable {
  /// The row is new.
  case inserted(RowPointer)
  /// Some of its properties changed.
  case updated(RowUpdate)
  /// The row is gone.
  case deleted(RowDeletion)

  /// What a change does, without the rows.
  package enum Kind: Sendable { case insertion, update, deletion }

  package var kind: Kind {
    switch self {
    case .inserted: .insertion
    case .updated: .update
    case .deleted: .deletion
    }
  }

  /// The row afterwards; nil after a deletion.
  package var row: RowPointer? {
    switch self {
    case .inserted(let row): row
    case .updated(let update): update.row
    case .deleted: nil
    }
  }

  /// The row's version afterwards.
  package var version: Int32 {
    switch self {
    case .inserted(let row): row.version
    case .updated(let update): update.row.version
    case .deleted(let deletion): deletion.base.version
    }
  }
}

/// A changed row beside the one it was changed from.
@usableFromInline
package struct RowUpdate: Sendable {
  /// The whole row afterwards; its version is one more than the base's, or more where several
  /// events were merged.
  @usableFromInline package let row: RowPointer
  /// What the object showed before: a changed property has the value at its first edit, any other
  /// one the value taken in last. So it may be composed from several rows.
  @usableFromInline package let base: RowPointer
  /// The whole row at the first edit, which taking in never moves.
  @usableFromInline package let first: RowPointer
  /// The properties that were changed, also where they were set back.
  @usableFromInline package let changed: PropertySet
  /// Those of them that a deletion rule made nil, which is no edit.
  package let nullified: PropertySet
  /// The row that is inserted instead, should the one that was changed never be: another insertion of
  /// the same object came first and is not committed. Nil where it is no such change.
  package let alone: RowPointer?
  /// Whether a policy has brought the object back, which another context had deleted: the row is there
  /// again as a whole where none lies below, and where one does, it is an update like any other. What it
  /// is turns out where it is composed, counted, pushed or written.
  @usableFromInline package let isRestored: Bool

  /// - Parameter first: The row at the first edit; nil where it is `base`.
  package init(
    row: RowPointer, base: RowPointer, changed: PropertySet, first: RowPointer? = nil,
    nullified: PropertySet = PropertySet(), alone: RowPointer? = nil, isRestored: Bool = false
  ) {
    self.row = row
    self.base = base
    self.first = first ?? base
    self.changed = changed
    self.nullified = nullified
    self.alone = alone
    self.isRestored = isRestored
  }

  /// The same update of an object that a policy brings back, or that is there anyway.
  package func restoring(_ isRestored: Bool) -> RowUpdate {
    RowUpdate(
      row: row, base: base, changed: changed, first: first, nullified: nullified, alone: alone,
      isRestored: isRestored)
  }

  /// The properties that this update and an older one of the same row have made nil by a deletion rule, seen
  /// as one. A reference that the older one has led to the deleted object is edited: what it led to before
  /// is not deleted.
  package func nullified(after older: RowUpdate) -> PropertySet {
    let both = older.nullified.subtracting(changed).union(nullified)
    if both.isEmpty { return both }
    return PropertySet(
      both.indices.filter { index in
        older.base.isNull(index) || base.isNull(index) || !older.changed.contains(index)
          || older.base.slot(index) == base.slot(index)
      })
  }

  /// Whether the row may have a value of a property that it did not have before: the changed ones, and of a
  /// restored row all.
  @inlinable
  package func brings(_ index: Int) -> Bool { isRestored || changed.contains(index) }

  /// Those of some properties of which the row may have a value that it did not have before.
  package func brought(among properties: PropertySet) -> PropertySet {
    isRestored ? properties : changed.intersection(properties)
  }
}

/// A deleted row as it was read.
@usableFromInline
package struct RowDeletion: Sendable {
  @usableFromInline package let base: RowPointer
  /// The row's key, so that those who ask for nothing else need not load the row.
  @usableFromInline package let key: Int64

  package init(base: RowPointer) {
    self.base = base
    key = base.key
  }
}

extension RowBuilder {
  /// A copy of a row of a store, of the next version; nil where that cannot grow any more.
  ///
  /// No change set has made it: whoever compares it with the row before compares their values.
  package mutating func touched(_ row: RowPointer, of layout: EntityLayout) -> RowPointer? {
    guard row.version < RowPointer.greatestVersion else { return nil }
    let copy = copy(row, layout)
    copy.setVersion(row.version + 1)
    copy.setMaker(0)
    close()
    return copy
  }

  /// A copy of a row in which some references lead nowhere.
  package mutating func cleared(
    _ row: RowPointer, _ references: PropertySet, of layout: EntityLayout
  ) -> RowPointer {
    let copy = copy(row, layout)
    close()
    for index in references.indices {
      copy.setNull(index)
      for slot in layout.properties[index].companions { copy.setCompanion(0, at: slot) }
    }
    return copy
  }
}

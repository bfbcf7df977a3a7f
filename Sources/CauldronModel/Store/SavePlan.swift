/// What a root save writes: layers in arrival order, each a sorted list of steps.
///
/// A plan is a pure value, made without I/O.
package struct SavePlan: Sendable {
  package let layers: [Layer]
  /// Layers with equal units succeed or fail together.
  let units: [ObjectIdentifier]

  /// The steps of one change set; they succeed or fail together.
  package struct Layer: Sendable {
    package let changeSet: ChangeSet
    package let steps: [SaveStep]
    /// What the layer refers to outside itself.
    let references: Set<ManagedObjectID>
    let storeNumber: Int32
    /// Why a store must not write the layer; nil for all that the contexts let through.
    package let defect: CauldronError?

    /// The objects whose failure in an earlier layer makes this one fail, too.
    /// - Complexity: O(changed rows); asked for only where a layer has failed.
    package var dependencies: Set<ManagedObjectID> {
      var ids = references
      // A link that others have changed, too, is as it should be without them.
      for changes in changeSet.entities where !changes.entity.isJoin {
        for key in changes.changedKeys {
          ids.insert(
            ManagedObjectID(
              key: key, entityNumber: changes.entity.number, storeNumber: storeNumber))
        }
      }
      return ids
    }
  }

  /// The layers that were written although another one of their unit failed, and that one's error.
  package func torn(_ failures: [CauldronError?]) -> [Int: CauldronError] {
    var causes: [ObjectIdentifier: CauldronError] = [:]
    for (unit, failure) in zip(units, failures) {
      if let failure, causes[unit] == nil { causes[unit] = failure }
    }
    guard !causes.isEmpty else { return [:] }
    var torn: [Int: CauldronError] = [:]
    for index in failures.indices where failures[index] == nil {
      torn[index] = causes[units[index]].map { .together(with: $0) }
    }
    return torn
  }

  package var rowCount: Int { layers.reduce(0) { $0 + $1.changeSet.count } }
}

/// One step of a save.
package enum SaveStep: Sendable {
  /// Deletes rows whose version is still the one that was read.
  case delete(EntityLayout, [RowDeletion])
  /// Writes the changed columns of rows whose version is still the one that was read.
  case update(EntityLayout, [RowUpdate])
  /// Writes new rows.
  case insert(EntityLayout, [RowPointer])
  /// Fails where a row of the entity's table is missing; names the property that refers to it.
  case requireTargets(EntityLayout, keys: [Int64], from: EntityLayout, PropertyLayout)
  /// Takes links out of a join table whose ends are deleted, or are found to be missing: whoever
  /// linked what another one deletes, or deletes what another one links, has no conflict with him.
  case unlink(join: EntityLayout, PropertyLayout, keys: [Int64], onlyMissing: Bool)
  /// Fails where a row still refers to one of the deleted keys by a property.
  case requireUnreferenced(EntityLayout, PropertyLayout, keys: [Int64])
}

/// What became of a plan.
package struct SaveReceipt: Sendable {
  /// The result of each layer, in the plan's order: nil where it was written.
  package var failures: [CauldronError?]
  /// The statements that ran.
  package var statementCount: Int
  /// The rows that were written.
  package var rowCount: Int
  /// The keys of the rows that the store itself has changed because of others, by entity: their derived
  /// attributes have other values, and the same version.
  package var touched: [(entity: EntityLayout, keys: [Int64])] = []

  /// The positions of the layers that were written.
  package var survivors: [Int] { failures.indices.filter { failures[$0] == nil } }

  package init(failures: [CauldronError?], statementCount: Int, rowCount: Int) {
    self.failures = failures
    self.statementCount = statementCount
    self.rowCount = rowCount
  }
}

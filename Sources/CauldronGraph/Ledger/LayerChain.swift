package import CauldronModel

/// The layers between a context and the store, oldest and nearest to the store first, as they were
/// at one instant.
package struct LayerChain: Sendable {
  package var layers: [Layer]
  /// Whether a commit was being written at that instant, so that the store may show some of the
  /// layers already.
  package var overlapsCommit = false
  /// The counters that tell whether a commit has begun since.
  package var mark = CommitMark()

  package var isEmpty: Bool { layers.isEmpty }

  /// Whether a layer touches rows of these entities.
  package func touches(_ entities: Set<Int32>) -> Bool {
    layers.contains { layer in
      layer.changes.entities.contains { entities.contains($0.entity.number) }
    }
  }

  /// The newest change to an object.
  /// - Complexity: O(layers).
  package func newest(_ id: ManagedObjectID) -> RowChange? {
    for layer in layers.reversed() {
      if let change = layer.changes.change(id) { return change }
    }
    return nil
  }

  /// Whether the object exists only here: it was inserted by one of the layers.
  package func inserts(_ id: ManagedObjectID) -> Bool {
    layers.contains { layer in
      guard case .inserted = layer.changes.change(id) else { return false }
      return true
    }
  }

  /// The row as the context sees it, given the store's; nil where it does not exist.
  package func compose(
    _ stored: RowPointer?, _ id: ManagedObjectID, _ entity: EntityLayout,
    _ builder: inout RowBuilder
  ) -> RowPointer? {
    var current = stored
    for layer in layers {
      switch layer.changes.change(id) {
      case nil: continue
      case .inserted(let row): current = row
      case .deleted: current = nil
      case .updated(let update):
        guard let row = current else { continue }
        current = update.applied(to: row, entity, &builder)
      }
    }
    return current
  }
}

/// How many commits had begun and ended at an instant.
package struct CommitMark: Sendable, Equatable {
  package var begun: UInt64 = 0
  package var ended: UInt64 = 0
}

extension RowUpdate {
  /// The row after this update, on top of a row that may be newer than the one it was made from.
  package func applied(
    to current: RowPointer, _ entity: EntityLayout, _ builder: inout RowBuilder
  ) -> RowPointer {
    if current.isVersion(of: base, entity) { return row }
    let left = row.difference(from: current, entity).intersection(changed)
    // A commit that is being recorded right now has already written it.
    if current.version >= row.version, left.isEmpty { return current }
    let merged = builder.merge(changed, from: row, onto: current, entity)
    merged.setVersion(current.version + 1)
    return merged
  }
}

extension RowPointer {
  /// Whether both are the same version of a row.
  ///
  /// Equal numbers alone do not tell: after a rollback in an ancestor a number is given once more,
  /// to other values.
  func isVersion(of other: RowPointer, _ entity: EntityLayout) -> Bool {
    self == other || version == other.version && difference(from: other, entity).isEmpty
  }
}

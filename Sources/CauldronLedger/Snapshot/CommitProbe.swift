import CauldronModel
import CauldronStore

/// A row by which a view of the store tells on which side of an atomic commit it is.
struct CommitProbe {
  let key: Int64
  let entity: EntityLayout
  /// The row's version before the commit; nil where there was no row.
  let version: Int32?
  /// What a link is to be afterwards, which has no version.
  var after: RowPointer?

  /// Whether a reader's view has the commit: any state of the row but the old one is a later one.
  func isPassed(by reader: any StoreReader) throws -> Bool {
    let row = try reader.row(key, of: entity.root)
    if entity.isJoin {
      guard let row, let after else { return (row == nil) == (after == nil) }
      return withExtendedLifetime(row) { row.row.difference(from: after, entity).isEmpty }
    }
    return row?.row.version != version
  }

  /// Rows that a commit of these layers changes on the whole, best first: new ones can be read
  /// whatever others have written.
  static func candidates(_ layers: [Layer], most: Int) -> [CommitProbe] {
    var result: [CommitProbe] = []
    for (position, layer) in layers.enumerated() {
      let earlier = layers[..<position]
      let later = layers[(position + 1)...]
      for set in layer.changes.entities {
        for probe in probes(of: set) {
          if result.count == most { return result }
          let id = ManagedObjectID(probe.key, set.entity)
          if earlier.contains(where: { $0.changes.change(id) != nil }) { continue }
          if probe.version == nil, later.last(touching: id)?.isDeletion == true { continue }
          result.append(probe)
        }
      }
    }
    return result
  }

  private static func probes(of set: EntityChanges) -> some Sequence<CommitProbe> {
    let entity = set.entity
    let new = set.inserted.lazy.map {
      CommitProbe(key: $0.key, entity: entity, version: nil, after: $0)
    }
    let changed = set.updated.lazy.map {
      CommitProbe(
        key: $0.row.key, entity: entity, version: $0.base.version, after: $0.row)
    }
    let gone = set.deleted.lazy.map {
      CommitProbe(key: $0.key, entity: entity, version: $0.base.version)
    }
    return [AnySequence(new), AnySequence(changed), AnySequence(gone)].lazy.joined()
  }
}

extension ArraySlice<Layer> {
  fileprivate func last(touching id: ManagedObjectID) -> RowChange? {
    for layer in reversed() {
      if let change = layer.changes.change(id) { return change }
    }
    return nil
  }
}

extension RowChange {
  fileprivate var isDeletion: Bool { if case .deleted = self { true } else { false } }
}

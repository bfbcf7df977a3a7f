import CauldronModel
import CauldronQuery
import CauldronStore

/// Rows that layers insert or change by what unique keys compare: sorted, so that two of them are merged
/// in one pass.
package struct UniqueRowIndex: Sendable {
  package struct Entry: Sendable {
    package let hash: UInt64
    package let key: Int64
    package let entity: Int32
    /// The unique key's number in the hierarchy.
    package let number: Int32
  }

  private var entries: [Entry] = []

  package var isEmpty: Bool { entries.isEmpty }

  /// - Complexity: O(rows of entities with unique keys · log rows).
  init(_ changes: ChangeSet) {
    for set in changes.entities {
      for key in set.entity.uniqueKeys {
        let value = UniqueValue(key)
        set.forEachRow { append($0, value: value, of: set.entity) }
      }
    }
    entries.sort { $0.hash < $1.hash }
  }

  private mutating func append(
    _ row: RowPointer, value: UniqueValue, of entity: EntityLayout
  ) {
    guard let hash = value.hash(row) else { return }
    entries.append(
      Entry(hash: hash, key: row.key, entity: entity.number, number: Int32(value.key.number)))
  }

  /// The rows of both.
  init(_ first: UniqueRowIndex, _ second: UniqueRowIndex) {
    entries = Array(merging: first.entries, second.entries) { $0.hash < $1.hash }
  }

  /// The rows whose values may have a hash.
  /// - Complexity: O(log *n*).
  package func rows(_ hash: UInt64) -> ArraySlice<Entry> {
    entries[entries.lowerBound { $0.hash < hash }...].prefix { $0.hash == hash }
  }
}

extension LayerRun {
  /// Calls `body` with the inserted and changed rows whose values of a unique key may be among those that
  /// have these hashes.
  /// - Parameters:
  ///   - family: The entities of the hierarchy, by number.
  ///   - value: Reads the key's values of an entity's rows; nil where it does not have the key.
  /// - Complexity: O(hashes · log rows) where the run is of several layers.
  func forEachCandidate(
    _ number: Int, in family: [Int32: EntityLayout], hashes: [UInt64: Int32],
    value: (EntityLayout) -> UniqueValue?,
    body: (Int64, EntityLayout, UniqueValue, UInt64) -> Void
  ) {
    guard let index else {
      for set in layers[0].changes.entities where family[set.entity.number] != nil {
        guard let value = value(set.entity) else { continue }
        set.forEachCandidate(value, hashes) { body($0.key, set.entity, value, $1) }
      }
      return
    }
    if index.unique.isEmpty { return }
    for hash in hashes.keys {
      for row in index.unique.rows(hash) where row.number == number {
        guard let entity = family[row.entity], let value = value(entity) else { continue }
        body(row.key, entity, value, hash)
      }
    }
  }
}

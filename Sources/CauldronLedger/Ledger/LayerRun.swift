package import CauldronModel
import CauldronQuery
package import CauldronStore

/// Successive layers of a context, with an index of the touched rows: a look-up need not walk the
/// layers.
///
/// Layers of several saves cannot become one, because each succeeds, fails and comes back alone; so
/// only their indexes are merged: geometrically, and up to a size that costs little.
package final class LayerRun: Sendable {
  package let layers: [Layer]
  /// The number of rows that the layers touch.
  package let rowCount: Int
  /// The numbers of the entities whose rows the layers touch; nil for a single layer, which is not
  /// made slower by a set that is seldom asked for.
  private let joinedEntities: Set<Int32>?
  /// The context of the layers, if some of them are its own unsaved edits.
  package let editor: LedgerNode?
  /// The layers by the rows that they touch and by the rows that their references lead to, and the rows
  /// by their unique values.
  package let index: (touched: KeyIndex, targets: KeyIndex, unique: UniqueRowIndex)?

  /// Beyond this many rows a run is not merged any more; its own change sets are index enough.
  private static let limit = 32_768

  init(_ layer: Layer) {
    layers = [layer]
    rowCount = layer.changes.count
    joinedEntities = nil
    editor = layer.ticket == nil ? layer.origin : nil
    index = nil
  }

  private init(_ first: LayerRun, _ second: LayerRun) {
    layers = first.layers + second.layers
    rowCount = first.rowCount + second.rowCount
    joinedEntities = first.entities.union(second.entities)
    editor = first.editor ?? second.editor
    let a = first.madeIndex
    let b = second.madeIndex
    let offset = Int32(first.layers.count)
    index = (
      KeyIndex(a.touched, b.touched, offset: offset),
      KeyIndex(a.targets, b.targets, offset: offset), UniqueRowIndex(a.unique, b.unique)
    )
  }

  private var entities: Set<Int32> {
    joinedEntities ?? Set(layers[0].changes.entities.map(\.entity.number))
  }

  /// Whether a layer touches rows of these entities.
  package func touches(_ entities: Set<Int32>) -> Bool {
    if let joinedEntities { return !joinedEntities.isDisjoint(with: entities) }
    return layers[0].changes.entities.contains { entities.contains($0.entity.number) }
  }

  private var madeIndex: (touched: KeyIndex, targets: KeyIndex, unique: UniqueRowIndex) {
    let changes = layers[0].changes
    return index ?? (changes.keyIndex, layers[0].targets.keyIndex, UniqueRowIndex(changes))
  }

  /// Calls `body` with the changes to an object, oldest first.
  /// - Complexity: O(log *n*).
  @inline(__always)
  package func forEachChange<E: Error>(
    of id: ManagedObjectID, body: (RowChange) throws(E) -> Void
  ) throws(E) {
    guard let index else {
      if let change = layers[0].changes.change(id) { try body(change) }
      return
    }
    for position in index.touched.positions(id.key, entity: id.entityNumber) {
      if let change = layers[Int(position)].changes.change(id) { try body(change) }
    }
  }

  /// Whether one of the layers inserts an object.
  package func inserts(_ id: ManagedObjectID) -> Bool {
    var isInserted = false
    forEachChange(of: id) { if case .inserted = $0 { isInserted = true } }
    return isInserted
  }

  /// The newest change to an object.
  package func newest(_ id: ManagedObjectID) -> RowChange? {
    guard let index else { return layers[0].changes.change(id) }
    return index.touched.positions(id.key, entity: id.entityNumber).last
      .flatMap { layers[Int($0)].changes.change(id) }
  }

  /// The layers that refer to an object by a new or changed reference.
  package func layers(referringTo key: Int64, root: Int32) -> [Layer] {
    guard let index else { return layers[0].targets.contains(key, root: root) ? layers : [] }
    return index.targets.positions(key, entity: root).map { layers[Int($0)] }
  }

  /// Merges neighbours where the older one is not much larger.
  /// - Parameter single: How many of the last runs stay as they are.
  package static func compacted(_ runs: [LayerRun], single: Int = 0) -> [LayerRun] {
    var result: [LayerRun] = []
    for run in runs.dropLast(single) {
      result.append(run)
      while result.count > 1 {
        let newer = result[result.count - 1]
        let older = result[result.count - 2]
        guard older.rowCount <= 2 * newer.rowCount, older.rowCount + newer.rowCount <= limit else {
          break
        }
        result.removeLast(2)
        result.append(LayerRun(older, newer))
      }
    }
    return result + runs.suffix(single)
  }
}

extension ChangeSet {
  fileprivate var keyIndex: KeyIndex {
    var index = KeyIndex()
    for set in entities {
      let entity = set.entity.number
      set.forEachChange { key, _, _ in index.append(key, entity: entity) }
    }
    index.sort()
    return index
  }
}

extension Targets {
  fileprivate var keyIndex: KeyIndex {
    var index = KeyIndex()
    for (root, keys) in keys {
      for key in keys { index.append(key, entity: root) }
    }
    index.sort()
    return index
  }
}

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

package import CauldronModel
package import CauldronQuery
package import CauldronStore

/// Which pending rows a fetch has to look at.
struct OverlayFocus {
  /// The keys that are composed one by one, from the store's row and all layers.
  var keys: [Int64: EntityLayout] = [:]
  /// The inserted rows that are tried as they are, but for those above.
  var scanned: [EntityChanges] = []
  /// The most rows of the store that may have to be hidden.
  var hidable = 0
  /// Whether `keys` has every row of the store that may have to be hidden.
  var isComplete = true
}

extension OverlayFocus {
  /// Chooses the rows; the store is asked only where a value is searched and very many rows were
  /// changed.
  init(_ query: StoreQuery, _ chain: LayerChain, _ reader: any StoreReader) throws {
    var search = FocusSearch(query: query, chain: chain, reader: reader)
    try search.run()
    self = search.focus
  }
}

/// Finds the pending rows that a fetch has to look at.
private struct FocusSearch {
  let query: StoreQuery
  let chain: LayerChain
  let reader: any StoreReader
  var focus = OverlayFocus()

  /// Below this many changed rows, composing them all is cheaper than finding out which to compose.
  private static let few = 512

  mutating func run() throws {
    let pin = query.predicate?.pin(in: query.entity).map(narrowest)
    switch pin {
    case .keys(let wanted) where wanted.count <= chain.rowCount:
      lookUp(wanted)
    case .references(let property, let wanted)
    where wanted.count <= chain.rowCount && (!chain.mayRepeatRows || query.entity.isJoin):
      try search(property, for: wanted.map { .integer($0) }, pin: pin)
    case .values(let property, let wanted)
    where wanted.count <= chain.rowCount && !chain.mayRepeatRows:
      try search(property, for: Array(wanted), pin: pin)
    default:
      scan(chain.sets(of: query))
    }
  }

  /// The wanted keys that a layer touches.
  private mutating func lookUp(_ wanted: Set<Int64>) {
    let entities = query.includesSubentities ? query.entity.family.map(\.entity) : [query.entity]
    for key in wanted {
      if let entity = entities.first(where: { chain.newest(ManagedObjectID(key, $0)) != nil }) {
        focus.keys[key] = entity
      }
    }
    focus.hidable = focus.keys.count
  }

  /// The rows in which a layer gives a property one of the values, and those in which the store
  /// does and a layer changes something else.
  private mutating func search(
    _ property: PropertyLayout, for values: [AttributeScalar], pin: PredicatePin?
  ) throws {
    let sets = chain.sets(of: query)
    let changed = sets.reduce(0) { count, set in
      let shared = chain.shares(set) ? set.inserted.count : 0
      return count + set.updated.count + set.deleted.count + shared
    }
    for set in sets {
      guard let found = set.keys(where: property, in: values) else { return scan(sets) }
      for key in found { focus.keys[key] = set.entity }
    }
    // What several contexts insert, or link, may be in the store already.
    focus.hidable =
      changed + (query.entity.isJoin || chain.sharesKeys ? focus.keys.count : 0)
    // Of the rows that refer to an object there may be many more than the limit.
    if query.entity.isJoin {
      for set in sets { addChanged(set, at: property, values: values) }
      return
    }
    guard changed > Self.few, property.kind != .toOne || query.limit == nil else {
      for set in sets { addWritten(set) }
      return
    }
    focus.isComplete = false
    var pinned = StoreQuery(entity: query.entity)
    pinned.includesSubentities = query.includesSubentities
    pinned.predicate = pin?.predicate
    let stored = try reader.fetch(pinned)
    stored.walk { row in
      guard chain.newest(ManagedObjectID(row)) != nil else { return }
      focus.keys[row.key] = sets.first { $0.entity.number == row.entityNumber }?.entity
    }
  }

  /// Of several values that are searched at once the one that fewest pending rows have: many of one
  /// kind may have been made, each with a number of its own.
  /// - Complexity: O(the fewest).
  private func narrowest(_ pin: PredicatePin) -> PredicatePin {
    guard case .values = pin, let pins = query.predicate?.valuePins(in: query.entity),
      pins.count > 1
    else { return pin }
    let sets = chain.sets(of: query)
    var most = 16
    while most < chain.rowCount {
      if let found = pins.first(where: { $0.isMet(byAtMost: most, of: sets) }) { return found }
      most *= 4
    }
    return pin
  }

  /// Every changed row one by one, and every inserted row as it is.
  private mutating func scan(_ sets: [EntityChanges]) {
    for set in sets { addWritten(set) }
    focus.scanned = sets.filter { !$0.inserted.isEmpty && !chain.shares($0) }
    focus.hidable = focus.keys.count
    // Where a commit is being written, the store may show inserted rows already.
    guard chain.mayRepeatRows else { return }
    focus.isComplete = false
    focus.hidable += focus.scanned.reduce(0) { $0 + $1.inserted.count }
  }

  /// The same for links, whose ends never change: only those that lead to the wanted objects.
  private mutating func addChanged(
    _ set: EntityChanges, at end: PropertyLayout, values: [AttributeScalar]
  ) {
    let wanted = Set(values)
    func add(_ row: RowPointer) {
      if wanted.contains(.integer(row.slot(end.index))) { focus.keys[row.key] = set.entity }
    }
    for update in set.updated { add(update.row) }
    for deletion in set.deleted { add(deletion.base) }
  }

  /// The rows of a set that the store may have, with other values.
  private mutating func addWritten(_ set: EntityChanges) {
    for update in set.updated { focus.keys[update.row.key] = set.entity }
    for deletion in set.deleted { focus.keys[deletion.key] = set.entity }
    guard chain.shares(set) else { return }
    for row in set.inserted { focus.keys[row.key] = set.entity }
  }
}

extension PredicatePin {
  /// Whether so few pending rows have the values.
  fileprivate func isMet(byAtMost most: Int, of sets: [EntityChanges]) -> Bool {
    guard case .values(let property, let wanted) = self else { return false }
    let values = Array(wanted)
    var count = 0
    for set in sets {
      guard let keys = set.keys(where: property, in: values, most: most - count) else {
        return false
      }
      count += keys.count
      if count > most { return false }
    }
    return true
  }
}

extension LayerChain {
  /// Whether several layers may insert one row of a set, and the store may have it already.
  fileprivate func shares(_ set: EntityChanges) -> Bool {
    set.entity.isJoin || sharesKeys && !set.entity.uniqueKeys.isEmpty
  }

  /// The changes to the rows that a query is about.
  package func sets(of query: StoreQuery) -> [EntityChanges] {
    let numbers = query.entityNumbers
    var result: [EntityChanges] = []
    for run in runs where run.touches(numbers) {
      for layer in run.layers {
        for set in layer.changes.entities where numbers.contains(set.entity.number) {
          result.append(set)
        }
      }
    }
    return result
  }
}

extension ManagedObjectID {
  // Layers are searched without the store's number.

  package init(_ key: Int64, _ entity: EntityLayout) {
    self.init(key: key, entityNumber: entity.number, storeNumber: 0)
  }

  package init(_ row: RowPointer) {
    self.init(key: row.key, entityNumber: row.entityNumber, storeNumber: 0)
  }
}

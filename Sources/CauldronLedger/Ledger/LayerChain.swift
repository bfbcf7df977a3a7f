package import CauldronModel
package import CauldronStore

/// The layers between a context and the store, oldest and nearest to the store first, as they were
/// at one instant.
package struct LayerChain: Sendable {
  /// The layers in runs, each with an index.
  package private(set) var runs: [LayerRun] = []
  /// The instant at which they were taken.
  package var instant = ChainInstant()
  /// Whether layers are left out that the context does not want to see.
  package var isPartial = false
  /// Whether several layers, or a layer and the store, may have a row under one key.
  var sharesKeys = false
  /// What was met in the contexts from which they were taken.
  package private(set) var way = ChainWay()
  /// How many layers were appended since the indexes were merged.
  private var appended = 0

  package init() {}

  /// - Complexity: O(rows · log layers) where there are several layers.
  package init(layers: [Layer]) { runs = LayerRun.compacted(layers.map(LayerRun.init)) }

  package var isEmpty: Bool { runs.isEmpty }

  /// The number of rows that the layers touch, each counted once a layer.
  package var rowCount: Int { runs.reduce(0) { $0 + $1.rowCount } }

  /// All layers.
  /// - Complexity: O(layers).
  package var layers: [Layer] { runs.flatMap(\.layers) }

  /// Adds what waits in a context. Called with the ledger's lock held.
  package mutating func add(_ node: LedgerNode) {
    way.pass(node)
    if runs.isEmpty { runs = node.runs } else { runs += node.runs }
  }

  /// Adds those of the layers that wait in a context which somebody wants to see. Called with the
  /// ledger's lock held.
  /// - Complexity: O(layers) where not all are wanted.
  package mutating func add(_ node: LedgerNode, where isWanted: (Layer) -> Bool) {
    let all = node.layers
    let wanted = all.filter(isWanted)
    if wanted.count == all.count { return add(node) }
    isPartial = true
    way.pass(node)
    runs += wanted.map(LayerRun.init)
  }

  /// Adds a layer that comes after all others.
  package mutating func append(_ layer: Layer) {
    runs.append(LayerRun(layer))
    appended += 1
    guard appended >= 16 else { return }
    appended = 0
    runs = LayerRun.compacted(runs)
  }

  /// Whether the store may show rows that a layer inserts, because the deletion that came before is
  /// left out, or the layer may be written already.
  package var mayRepeatRows: Bool { isPartial || way.hasUnsettled }

  /// The chain without those of the layers that the store shows already.
  /// - Complexity: O(layers) where one of them is in the chain.
  package func without(_ written: [Layer]) -> LayerChain {
    let gone = Set(written.map(ObjectIdentifier.init))
    return without { gone.contains(ObjectIdentifier($0)) }
  }

  /// The chain without some of the layers.
  /// - Complexity: O(layers).
  package func without(where isGone: (Layer) -> Bool) -> LayerChain {
    var chain = self
    chain.runs = runs.flatMap { run in
      if !run.layers.contains(where: isGone) { return [run] }
      return run.layers.filter { !isGone($0) }.map(LayerRun.init)
    }
    return chain
  }

  /// Whether one of the layers is in the chain.
  package func contains(anyOf layers: [Layer]) -> Bool {
    let wanted = Set(layers.map(ObjectIdentifier.init))
    return runs.contains { $0.layers.contains { wanted.contains(ObjectIdentifier($0)) } }
  }

  /// Whether a layer touches rows of these entities.
  package func touches(_ entities: Set<Int32>) -> Bool {
    runs.contains { $0.touches(entities) }
  }

  /// Whether contexts above have changed rows of these entities and not saved that.
  package func showsUnsaved(_ entities: @autoclosure () -> Set<Int32>, above node: LedgerNode)
    -> Bool
  {
    let edited = runs.filter { $0.editor.map { $0 !== node } ?? false }
    if edited.isEmpty { return false }
    let entities = entities()
    return edited.contains { $0.touches(entities) }
  }

  /// The newest change to an object.
  /// - Complexity: O(log layers), mostly.
  package func newest(_ id: ManagedObjectID) -> RowChange? {
    for run in runs.reversed() {
      if let change = run.newest(id) { return change }
    }
    return nil
  }

  /// Whether the object exists only here: it was inserted by one of the layers.
  package func inserts(_ id: ManagedObjectID) -> Bool {
    var isInserted = false
    forEachChange(of: id) { if case .inserted = $0 { isInserted = true } }
    return isInserted
  }

  /// Calls `body` with the changes to an object, oldest first.
  /// - Complexity: O(log layers), mostly.
  @inline(__always)
  package func forEachChange(of id: ManagedObjectID, body: (RowChange) -> Void) {
    for run in runs { run.forEachChange(of: id, body: body) }
  }

  /// The row as the context sees it, given the store's; nil where it does not exist.
  package func compose(
    _ stored: RowPointer?, of id: ManagedObjectID, entity: EntityLayout,
    builder: inout RowBuilder
  ) -> RowPointer? {
    var current = stored
    forEachChange(of: id) { change in
      switch change {
      case .inserted(let row): current = row
      case .deleted: current = nil
      case .updated(let update):
        current = update.composed(onto: current, of: entity, builder: &builder)
      }
    }
    return current
  }
}

/// The instant at which the layers of a chain were taken, by the counters of the ledger.
package struct ChainInstant: Sendable {
  /// Whether a commit was being written, so that the store may show some of the layers already.
  package var overlapsCommit = false
  /// The counters that tell whether a commit has begun since.
  package var mark = CommitMark()
  /// How much of the journal the layers, and the store with them, show.
  package var journalEnd: UInt64 = 0
  /// How many keys had been exchanged.
  package var exchangeCount: UInt32 = 0

  package init() {}

  /// Whether nothing was being written, and nothing has been since.
  func isCurrent(at mark: CommitMark?) -> Bool { self.mark == mark && !overlapsCommit }
}

/// What the contexts have counted between the store and the one that a chain is taken for.
package struct ChainWay: Sendable {
  /// Whether nobody knows of some layers whether they are written.
  private(set) var hasUnsettled = false
  /// The sum of the generations, which only grow: tells whether layers have come or gone since.
  package private(set) var generation: UInt64 = 0
  /// How often unsaved edits have ended in them.
  package private(set) var endedEdits: UInt64 = 0

  /// Goes on to a context. Called with the ledger's lock held.
  fileprivate mutating func pass(_ node: LedgerNode) {
    if !node.unsettled.isEmpty { hasUnsettled = true }
    generation += node.generation
    endedEdits += node.endedEdits
  }
}

/// How many commits had begun and ended at an instant.
package struct CommitMark: Sendable, Equatable {
  package var begun: UInt64 = 0
  /// The last commit that was made and is, or was, taken into the row cache.
  package var recorded: UInt64 = 0
  package var ended: UInt64 = 0
  /// How often it was found that somebody else had written to the store.
  package var foreign: UInt64 = 0
}

extension RowUpdate {
  /// The row after this update, given what lies below: where there is none, a restored row is there again,
  /// and nothing else is left of an update.
  package func composed(
    onto current: RowPointer?, of entity: EntityLayout, builder: inout RowBuilder
  ) -> RowPointer? {
    guard let current else { return isRestored ? row : nil }
    return applied(to: current, of: entity, builder: &builder)
  }

  /// The row after this update, on top of a row that may be newer than the one it was made from.
  package func applied(
    to current: RowPointer, of entity: EntityLayout, builder: inout RowBuilder
  ) -> RowPointer {
    if current.isVersion(of: base, entity) { return row }
    let changed = changed.subtracting(lapsed(on: current))
    let left = row.difference(from: current, entity).intersection(changed)
    // A commit that is being recorded right now has already written it.
    if current.version >= row.version, left.isEmpty { return current }
    let merged = builder.merge(changed, from: row, onto: current, entity)
    merged.setVersion(current.nextVersion)
    return merged
  }
}

extension RowUpdate {
  /// What a delete rule has made nil, and others have had lead elsewhere since: it leads there.
  package func lapsed(on current: RowPointer) -> PropertySet {
    if nullified.isEmpty { return nullified }
    return PropertySet(
      nullified.indices.filter { index in
        !current.isNull(index) && !base.isNull(index) && current.slot(index) != base.slot(index)
      })
  }
}

import CauldronLedger
import CauldronModel
import CauldronStore

/// What the journal tells a list that matters to it: layers that came to be seen, or are seen no more.
///
/// A layer that moves up the chain, or is committed, is seen before and after, and is no news.
struct LiveNews {
  private(set) var sets: [EntityChanges] = []
  /// Those of `sets` that the list's context has not made, by the save that made them.
  private var foreign: [[EntityChanges]] = []
  /// Changes that were seen before, and are still, elsewhere: what they changed is no news, but others may
  /// have changed the same rows.
  private(set) var passing: [EntityChanges] = []
  /// What was committed, in order; no row of it waits in a layer any more.
  private(set) var committed: [EntityChanges] = []
  private(set) var rows: [(entity: EntityLayout, keys: [Int64])] = []
  /// Changes that may touch owners among the list's objects.
  private(set) var members: [EntityChanges] = []
  /// Whether all of the result has to be asked for.
  var isEverything = false
  /// Whether the context has forgotten its objects.
  var isReset = false

  /// Whether it is all edits that the list's own context has made on top of what was known, in order.
  private(set) var isOwn = true

  /// - Parameters:
  ///   - node: The context that the list is in.
  ///   - path: The contexts whose layers the list may see.
  ///   - isAhead: Whether the list shows a part of the entries, so that also what came and went is news.
  init(
    _ entries: some Sequence<ChangeJournal.Entry>, _ watch: LiveWatch, _ node: LedgerNode,
    _ path: LivePath, isAhead: Bool
  ) {
    var order: [ObjectIdentifier] = []
    var seen: [ObjectIdentifier: Move] = [:]
    for entry in entries {
      if let node = entry.node, !path.contains(node) { continue }
      guard watch.isConcerned(by: entry.content) else { continue }
      switch entry.content {
      case .changes(let changes):
        let id = ObjectIdentifier(changes)
        if seen[id] == nil { order.append(id) }
        seen[id, default: Move(changes)].add(entry, home: node)
        if entry.node == nil { committed += changes.entities.filter { watch.watches($0.entity) } }
      case .reordered(let changes):
        isOwn = false
        add(foreign: changes.entities.filter { watch.watches($0.entity) })
        members += changes.entities.filter { watch.hasOwners($0.entity) }
      case .rows(let entity, let keys):
        // Where rows lead elsewhere now, nobody knows where they led before.
        isOwn = false
        if watch.entity.includes(entity.number) {
          rows.append((entity, keys))
        }
        if !watch.isLocal { isEverything = true }
      case .everything: isEverything = true
      case .reset: isReset = true
      }
    }
    for id in order {
      guard let move = seen[id] else { continue }
      let watched = move.changes.entities.filter { watch.watches($0.entity) }
      let isPassing = move.count == 0 && path.isWhole
      let isOwn = move.isOwn(path) && !(isPassing && isAhead)
      if !isOwn, !watched.isEmpty { self.isOwn = false }
      if isPassing && !isAhead {
        passing += watched
      } else {
        if isOwn { sets += watched } else { add(foreign: watched) }
        members += move.changes.entities.filter { watch.hasOwners($0.entity) }
      }
    }
  }

  private mutating func add(foreign changes: [EntityChanges]) {
    sets += changes
    foreign.append(changes)
  }

  /// The keys of all rows that have changed.
  var keys: Set<Int64> { Set(sets.flatMap(\.keys) + rows.flatMap(\.keys)) }

  /// Those of the keys whose rows can be shown as of one instant: what one save of another context has changed
  /// is shown at once, or not yet.
  /// - Parameter unknown: The keys of rows that have to be read.
  /// - Returns: None where edits of the list's own context are among the rest.
  func knownKeys(among keys: Set<Int64>, unknown: Set<Int64>) -> [Int64] {
    if unknown.isEmpty { return Array(keys) }
    var left = unknown
    for changes in foreign.map({ $0.flatMap(\.keys) }) + rows.map(\.keys)
    where !unknown.isDisjoint(with: changes) {
      left.formUnion(changes)
    }
    let own = keys.subtracting(foreign.joined().flatMap(\.keys)).subtracting(rows.flatMap(\.keys))
    return own.isDisjoint(with: left) ? Array(keys.subtracting(left)) : []
  }

  /// Where a set of changes came to be seen, and where it is seen no more.
  private struct Move {
    let changes: ChangeSet
    /// In how many more places it is seen now.
    private(set) var count = 0
    /// Whether the list's context has made it, and it has not left there.
    private var isAtHome = true
    /// Whether the list's context had it first.
    private var beganAtHome = false
    private var isFirst = true

    init(_ changes: ChangeSet) { self.changes = changes }

    mutating func add(_ entry: ChangeJournal.Entry, home node: LedgerNode) {
      count += entry.isRemoval ? -1 : 1
      if isFirst { beganAtHome = entry.node === node && !entry.isRemoval }
      isFirst = false
      if entry.node !== node || entry.isRemoval { isAtHome = false }
    }

    /// Whether the list's context has made it on top of all else; it may have gone on since, up the chain
    /// or into the store.
    func isOwn(_ path: LivePath) -> Bool {
      isAtHome || path.isWhole && (count == 0 || count > 0 && beganAtHome)
    }
  }

  var isEmpty: Bool {
    sets.isEmpty && rows.isEmpty && members.isEmpty && !isEverything && !isReset
  }

  /// How many rows have changed.
  var count: Int {
    sets.reduce(0) { $0 + $1.count } + rows.reduce(0) { $0 + $1.keys.count }
  }

  /// How many rows have changed that may touch owners.
  var memberCount: Int { members.reduce(0) { $0 + $1.count } }
}

/// The contexts whose layers somebody may see.
struct LivePath {
  var nodes: Set<ObjectIdentifier> = []
  /// Whether all of their layers are seen, so that one which goes from the one to the other is no news;
  /// otherwise it may come into view with that, or go.
  var isWhole = true

  func contains(_ node: LedgerNode) -> Bool { nodes.contains(ObjectIdentifier(node)) }
}

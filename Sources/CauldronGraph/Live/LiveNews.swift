import CauldronModel
import CauldronStore

/// What the journal tells a list that matters to it: layers that came to be seen, or are seen no more.
///
/// A layer that moves up the chain, or is committed, is seen before and after, and is no news.
struct LiveNews {
  var sets: [EntityChanges] = []
  /// Changes that were seen before, and are still, elsewhere: what they changed is no news, but others may
  /// have changed the same rows.
  private(set) var passing: [EntityChanges] = []
  var rows: [(entity: EntityLayout, keys: [Int64])] = []
  /// Whether all of the result has to be asked for.
  var isEverything = false
  /// Whether the context has forgotten its objects.
  var isReset = false

  /// Whether it is all edits that the list's own context has made on top of what was known, in order.
  private(set) var isOwn = true

  /// - Parameters:
  ///   - node: The context that the list is in.
  ///   - path: The contexts whose layers the list may see.
  init(
    _ entries: some Sequence<ChangeJournal.Entry>, _ watch: LiveWatch, _ node: LedgerNode,
    _ path: LivePath
  ) {
    var order: [ObjectIdentifier] = []
    var seen: [ObjectIdentifier: (changes: ChangeSet, count: Int)] = [:]
    for entry in entries {
      if let node = entry.node, !path.contains(node) { continue }
      guard watch.isConcerned(by: entry.content) else { continue }
      switch entry.content {
      case .changes(let changes):
        let id = ObjectIdentifier(changes)
        if seen[id] == nil { order.append(id) }
        seen[id, default: (changes, 0)].count += entry.isRemoval ? -1 : 1
        if entry.node !== node || entry.isRemoval { isOwn = false }
      case .reordered(let changes):
        isOwn = false
        sets += changes.entities.filter { watch.watches($0.entity) }
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
      guard let (changes, count) = seen[id] else { continue }
      let watched = changes.entities.filter { watch.watches($0.entity) }
      if count != 0 || !path.isWhole { sets += watched } else { passing += watched }
    }
  }

  var isEmpty: Bool { sets.isEmpty && rows.isEmpty && !isEverything && !isReset }

  /// How many rows have changed.
  var count: Int {
    sets.reduce(0) { $0 + $1.count } + rows.reduce(0) { $0 + $1.keys.count }
  }
}

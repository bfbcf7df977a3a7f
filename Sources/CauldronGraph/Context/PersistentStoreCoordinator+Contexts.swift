package import CauldronLedger
package import CauldronModel
import CauldronStore

// The contexts on a coordinator: what is told to them, and how they are drawn.
extension PersistentStoreCoordinator {
  /// Lists a context among those that merge by themselves, or takes it off the list.
  package func setMerging(of core: ContextCore, to isMerging: Bool) {
    core.settings.withLock { $0.isMerging = isMerging }
    ledger.setMerging(isMerging, of: core.node)
  }

  /// Has an event follow in each context that a save has reached. Called without locks: with an event may
  /// end the last reference to a context.
  package func wakeReached() {
    for node in ledger.takeReached() {
      node.inbox.shorten()
      node.owner?.catchUpSoon()
    }
  }

  /// Tells the saves whose changes went back, and the contexts that these came back to.
  package func announceReturns(_ returned: [(Layer, CauldronError)]) {
    for (layer, error) in returned {
      layer.ticket?.resolve(.failed(error))
      ledger.note(refusal: error, of: ledger.home(of: layer))
    }
    if !returned.isEmpty { wakeReached() }
  }

  /// Tells contexts of rows that the store has changed in a save: root contexts, contexts that
  /// merge saves automatically, and every context on the path of the save.
  package func tell(_ keys: BatchKeys, of origins: [LedgerNode]) {
    for node in ledger.nodes.all {
      guard let core = node.core else { continue }
      if node.parent == nil || core.settings.isMerging
        || origins.contains(where: { $0.isBelow(node) })
      {
        core.catchUp.receive(keys)
      }
    }
  }

  /// Has everybody read the derived values anew that changes may have touched of which nobody knows, or
  /// did not know at first, whether they are written: no receipt tells of them.
  package func outdateDerived(by layers: [Layer]) {
    let sets = layers.flatMap(\.changes.entities)
    let rows = (sets.compactMap(\.ownDerived) + sets.flatMap(\.counted)).filter { !$0.keys.isEmpty }
    if rows.isEmpty { return }
    outdate(rows)
    tell(BatchKeys(rows), of: layers.map(\.origin))
  }

  /// Distrusts all that is cached where somebody else has written to the store.
  func noticeOthers() {
    store.noticeForeignWrites { distrustRows() }
  }
}

extension PersistentStoreCoordinator {
  /// The contexts as a tree with one line each, and the saves under way.
  package var drawing: [String] {
    let nodes = ledger.nodes.all
    let children = Dictionary(grouping: nodes.filter { $0.parent != nil }) {
      $0.parent.map { ObjectIdentifier($0) }
    }
    var lines: [String] = []
    func draw(_ siblings: [LedgerNode], indent: String) {
      let shown = siblings.compactMap(\.core).sorted { $0.name < $1.name }
      // As many as a reader looks at.
      let rest = shown.count - 12
      for (index, core) in shown.prefix(12).enumerated() {
        let isLast = index == shown.count - 1
        lines.append("\(indent)\(isLast ? "└" : "├") \(line(of: core))")
        draw(children[ObjectIdentifier(core.node)] ?? [], indent: indent + (isLast ? "  " : "│ "))
      }
      if rest > 0 { lines.append("\(indent)└ and \(rest) more") }
    }
    draw(nodes.filter { $0.parent == nil }, indent: "")
    return lines + saves.lines
  }

  private func line(of core: ContextCore) -> String {
    let count = core.label.unsavedCount
    return "\(core.name): \(core.label.queue)\(count == 0 ? "" : ", \(count) unsaved")"
  }
}

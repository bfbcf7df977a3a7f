import CCauldron
import CauldronModel

extension ContextCore {
  /// Brings registered objects up to date with the layers that came or went.
  /// - Complexity: O(min(registered objects, changed rows)).
  func catchUp() {
    let (arrivals, isBehind) = shared.withLock { shared in
      defer {
        shared.inbox = []
        shared.isBehind = false
        shared.lastThread = cauldron_kernel_thread_id()
      }
      return (shared.inbox, shared.isBehind)
    }
    guard !arrivals.isEmpty || isBehind else { return }
    defer {
      postDidChange(arrivals.filter { !$0.isMerged }.map(\.changes))
      postDidMerge(arrivals.filter(\.isMerged).map(\.changes))
    }
    guard identity.count > 0 else { return }
    let merged = arrivals.filter { $0.reason == .sibling }.map(\.changes)
    if !merged.isEmpty { rebaseUnsaved(onto: merged) }
    let chain = coordinator.ledger.chain(to: node)
    if isBehind { refreshAll(chain) }
    for arrival in arrivals {
      for changes in arrival.changes.entities {
        catchUp(changes, chain)
        if arrival.isReturned { takeBack(changes) }
      }
    }
  }

  private func refreshAll(_ chain: LayerChain) {
    for object in identity.objects() where !object.state.contains(.fault) {
      refresh(object, chain)
      object.extras?.toMany = [:]
    }
  }

  /// Marks the objects whose saved changes came back as unsaved again.
  private func takeBack(_ changes: EntityChanges) {
    let root = changes.entity.root.number
    for row in changes.inserted { takeBack(row.key, root, .inserted, nil) }
    for update in changes.updated { takeBack(update.row.key, root, .updated, update.base) }
    for deletion in changes.deleted { takeBack(deletion.key, root, .deleted, deletion.base) }
  }

  private func takeBack(_ key: Int64, _ root: Int32, _ flag: ObjectState, _ base: RowPointer?) {
    guard let object = identity.object(key, root: root) else { return }
    object.state.insert(flag)
    if flag == .deleted { object.state.subtract(.gone) }
    if let base, object.extras?.committed == nil { object.makeExtras().committed = base.held }
    pending.append(object)
  }

  private func catchUp(_ changes: EntityChanges, _ chain: LayerChain) {
    let root = changes.entity.root.number
    if identity.count < changes.count {
      for object in identity.objects() where object.layout === changes.entity {
        if let change = changes.change(object.key) { catchUp(object, change, chain) }
      }
    } else {
      for row in changes.inserted {
        catchUp(row.key, root, .inserted(row), chain)
      }
      for update in changes.updated {
        catchUp(update.row.key, root, .updated(update), chain)
      }
      for deletion in changes.deleted {
        catchUp(deletion.key, root, .deleted(deletion), chain)
      }
    }
    forgetWalks(changes)
  }

  private func catchUp(_ key: Int64, _ root: Int32, _ change: RowChange, _ chain: LayerChain) {
    guard let object = identity.object(key, root: root) else { return }
    catchUp(object, change, chain)
  }

  private func catchUp(_ object: ManagedObject, _ change: RowChange, _ chain: LayerChain) {
    guard !object.state.contains(.fault) else { return }
    refresh(object, chain, hint: change.row)
  }

  /// Gives an object the row that the context sees now, with the event's own edits on top.
  func refresh(_ object: ManagedObject, _ chain: LayerChain, hint: RowPointer? = nil) {
    do {
      guard let row = try row(of: object, chain) else {
        object.state.insert([.deleted, .gone])
        return
      }
      withExtendedLifetime(row) { rebase(object, row.row) }
    } catch {
      object.note(unread: error)
    }
  }

  /// An object's row as of a chain, or a newer one where a commit came between the chain and the
  /// stored row.
  private func row(of object: ManagedObject, _ chain: LayerChain) throws -> HeldRow? {
    let id = object.objectID
    let stored = chain.inserts(id) ? nil : try coordinator.storedRow(id, object.layout)
    // The cache may drop the stored row at any moment.
    let row = withExtendedLifetime(stored) {
      chain.compose(stored?.row, id, object.layout, &builder)?.held
    }
    builder.close()
    if chain.isEmpty || coordinator.ledger.isCurrent(chain) { return row }
    return try composedRow(id, object.layout)
  }

  /// Puts the event's edits of an object on a new base.
  private func rebase(_ object: ManagedObject, _ row: RowPointer) {
    object.state.remove(.unread)
    // A deletion of the context's own, which nobody has published yet, stands.
    if object.state.contains(.gone) { object.state.subtract([.deleted, .gone]) }
    guard object.state.contains(.writable), let base = object.extras?.eventBase else {
      if !object.state.contains(.writable) { object.show(row) }
      return
    }
    let edits = RowPointer(object.row).difference(from: base.row, object.layout)
    object.extras?.eventBase = row.held
    let merged = builder.merge(edits, from: RowPointer(object.row), onto: row, object.layout)
    object.show(merged)
    object.state.insert(.writable)
  }

  /// Forgets the walked to-many relationships that changed references belong to.
  /// - Complexity: O(min(registered objects, changed rows)); nothing where none was walked.
  func forgetWalks(_ changes: EntityChanges) {
    guard hasWalks else { return }
    for property in changes.entity.properties where property.kind == .toOne {
      guard let destination = property.destination else { continue }
      if identity.count < changes.count {
        for object in identity.objects() where object.layout.isKind(of: destination.entity) {
          object.extras?.toMany[destination.inverse] = nil
        }
      } else {
        forgetWalks(changes, property, destination)
      }
    }
  }

  private func forgetWalks(
    _ changes: EntityChanges, _ property: PropertyLayout, _ destination: PropertyLayout.Destination
  ) {
    let root = destination.entity.root.number
    func forget(_ row: RowPointer) {
      guard !row.isNull(property.index) else { return }
      identity.object(row.slot(property.index), root: root)?
        .extras?.toMany[destination.inverse] = nil
    }
    changes.inserted.forEach(forget)
    for update in changes.updated where update.changed.contains(property.index) {
      forget(update.base)
      forget(update.row)
    }
    for deletion in changes.deleted { forget(deletion.base) }
  }
}

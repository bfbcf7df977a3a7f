import CauldronModel

extension ContextCore {
  /// Brings registered objects up to date with the layers that came or went.
  /// - Parameter discarded: What a rollback has dropped.
  /// - Complexity: O(min(registered objects, changed rows)).
  func catchUp(discarded: [Layer] = []) {
    followExchanges()
    if !identity.walksOfUnsaved.objects.isEmpty {
      identity.forgetWalks(ofUnsaved: coordinator.ledger.view(of: node).endedEdits)
    }
    if !pending.unread.isEmpty { readUnknown() }
    let (arrived, behind) = inbox.take()
    ownership.noteUser()
    let exchanged = pending.takeExchanged()
    guard !arrived.isEmpty || !behind.isEmpty || !discarded.isEmpty || !exchanged.isEmpty else {
      return
    }
    forgetReferences()
    settleRefreshes()
    let all = arrived + discarded.map { Arrival(changes: $0.changes, reason: .discarded) }
    let arrivals = withSettledKeys {
      all.map { Arrival(changes: coordinator.ledger.followed($0.changes), reason: $0.reason) }
    }
    let isConcerned = identity.count > 0 || arrivals.contains(where: \.isReturned)
    let parts = isConcerned ? takeIn(arrivals, behind, exchanged) : ChangeParts()
    ContextLog(self).logMerge(arrivals, parts, isBehind: !behind.isEmpty)
    // A rollback, which tells what it has dropped, is not done yet.
    if discarded.isEmpty { runWaitingHooks() }
    postDidChange(
      arrivals.filter { !$0.isMerged && $0.reason != .discarded }.map(\.changes))
    postDidMerge(arrivals.filter(\.isMerged).map(\.changes), parts)
    tellObservers()
  }

  /// - Returns: The objects that took in what others have changed.
  private func takeIn(
    _ arrivals: [Arrival], _ behind: ArrivedKeys, _ exchanged: [ManagedObject]
  ) -> ChangeParts {
    event.hold()
    defer { event.release() }
    let chain = withSettledKeys { coordinator.ledger.view(of: node) }
    var parts = ChangeParts()
    if !behind.isEmpty {
      // Of what is behind only the keys are known, and not what the rows refer to.
      identity.forgetAllWalks()
      refresh(behind.objects(in: identity), chain, &parts, tellsAll: !behind.isEverything)
    }
    refresh(exchanged, chain, &parts, tellsAll: true)
    if arrivals.count > 8 { readAhead(arrivals, chain) }
    let isReturned = arrivals.contains(where: \.isReturned)
    let unsaved = isReturned ? coordinator.ledger.unsavedLayers(of: node) : []
    if isReturned { readAhead(returned: arrivals, chain) }
    for arrival in arrivals {
      for changes in arrival.changes.entities {
        // What was refused stays as it was made, on top of what it was made from; what others have
        // changed meanwhile is shown when somebody asks for it.
        if arrival.isReturned {
          takeBack(changes, unsaved)
        } else if arrival.isMerged {
          // A deletion that was given up may have let go of its object.
          if arrival.reason == .adapted, !changes.deleted.isEmpty { identity.forgetAllWalks() }
          let flags: SnapshotEventType = arrival.reason == .adapted ? .mergePolicy : .refresh
          catchUp(changes, chain) {
            parts.refreshed.append($0.objectID)
            noteSnapshot($0, flags)
          }
        } else if arrival.reason == .discarded {
          catchUp(changes, chain) {
            event.note(refreshed: $0.objectID)
            noteSnapshot($0, .rollback)
          }
        } else {
          catchUp(changes, chain) { _ in }
        }
      }
    }
    return parts
  }

  /// Reads the rows that many small arrivals are about with a few statements.
  private func readAhead(_ arrivals: [Arrival], _ chain: LayerChain) {
    let objects = arrivals.lazy.filter { !$0.isReturned }
      .flatMap { $0.changes.entities.flatMap { self.identity.objects(touchedBy: $0) } }
      .map(\.object)
    readAhead(objects, chain)
  }

  /// Reads the rows that came back and of which there is no object, many with one statement.
  private func readAhead(returned arrivals: [Arrival], _ chain: LayerChain) {
    var keys: [Int32: [Int64]] = [:]
    for set in arrivals.lazy.filter(\.isReturned).flatMap(\.changes.entities) {
      let root = set.entity.rootNumber
      for update in set.updated where identity.object(update.row.key, root: root) == nil {
        if chain.inserts(coordinator.id(update.row.key, set.entity)) { continue }
        keys[root, default: []].append(update.row.key)
      }
    }
    coordinator.readAhead(keys)
  }

  /// Reads the rows of those objects that are in the store, many with one statement.
  func readAhead(_ objects: some Sequence<ManagedObject>, _ chain: LayerChain) {
    var keys: [Int32: [Int64]] = [:]
    for object in objects where !chain.inserts(object.registeredID) {
      keys[object.layout.rootNumber, default: []].append(object.key)
    }
    coordinator.readAhead(keys)
  }

  /// Gives many objects the rows that the context sees now.
  /// - Parameter tellsAll: Whether those whose rows are as they were count as refreshed, too.
  /// - Complexity: O(objects); one statement for each 256 rows that no cache knows.
  private func refresh(
    _ objects: [ManagedObject], _ chain: LayerChain, _ parts: inout ChangeParts, tellsAll: Bool
  ) {
    let known = objects.filter { !$0.isFault }
    var rest = known[...]
    while !rest.isEmpty {
      let some = rest.prefix(4_096)
      rest = rest.dropFirst(4_096)
      readAhead(some, chain)
      for object in some { refresh(object, chain, &parts, tellsAll: tellsAll) }
    }
  }

  private func refresh(
    _ object: ManagedObject, _ chain: LayerChain, _ parts: inout ChangeParts, tellsAll: Bool
  ) {
    let wasGone = object.isGone
    let before = RowPointer(object.row).held
    refresh(object, chain)
    object.forgetWalks()
    if object.layout.isJoin { return }
    if !object.isGone {
      if tellsAll || wasGone || object.differs(from: before) {
        parts.refreshed.append(object.objectID)
        noteSnapshot(object, .refresh)
      }
    } else if !wasGone {
      parts.invalidated.append(object.objectID)
    }
  }

  /// Marks the objects whose saved changes came back as unsaved again.
  /// - Parameter unsaved: What waits here unsaved. Between the moment at which changes came back and
  ///   this one they may have been dropped or saved again.
  private func takeBack(_ changes: EntityChanges, _ unsaved: [Layer]) {
    let root = changes.entity.rootNumber
    func waits(_ key: Int64) -> Bool {
      let id = coordinator.id(key, changes.entity)
      return unsaved.contains { $0.changes.change(id) != nil }
    }
    for row in changes.inserted where waits(row.key) {
      bringBack(row, changes.entity)
      takeBack(row.key, root, .insertion, nil)
    }
    for update in changes.updated where waits(update.row.key) {
      bringBack(update.row, changes.entity)
      rebase(update, root)
      takeBack(update.row.key, root, .update, update.base)
    }
    for deletion in changes.deleted where waits(deletion.key) {
      takeBack(deletion.key, root, .deletion, deletion.base)
    }
  }

  /// An object with unsaved changes is registered as long as it has them; after the save that was
  /// refused nobody may have held it.
  private func bringBack(_ row: RowPointer, _ entity: EntityLayout) {
    guard identity.object(row.key, root: entity.rootNumber) == nil,
      let object = object(with: coordinator.id(row.key, entity))
    else { return }
    // One that cannot be read stays a fault, and is looked at when the context saves.
    try? load(object)
    guard object.isGone || object.isInaccessible else { return }
    object.noteChanges()
    // Deleted elsewhere, or unknown: the edits are shown still, so that the save can tell why it fails.
    object.endUnread()
    object.change { $0.returnWithEdits() }
    object.show(row)
  }

  /// Where a row was edited again since, the edit that came back comes first.
  private func rebase(_ update: RowUpdate, _ root: Int32) {
    guard let object = identity.object(update.row.key, root: root),
      let committed = object.extras?.edits.committed
    else { return }
    let row = builder.merge(update.changed, from: update.base, onto: committed.row, object.layout)
    object.extras?.edits.rebaseCommitted(onto: row.held)
  }

  /// Marks an object as unsaved again.
  /// - Parameter base: What it was like before.
  func takeBack(_ key: Int64, _ root: Int32, _ kind: RowChange.Kind, _ base: RowPointer?) {
    guard let object = identity.object(key, root: root) else { return }
    object.change { $0.becomeUnsaved(kind) }
    if let base { object.makeExtras().edits.beginUnsaved(at: base.held) }
    if object.change({ $0.list() }) { pending.objects.append(object) }
  }

  /// - Parameter note: Is told of each registered object that exists and shows a changed row now.
  private func catchUp(
    _ changes: EntityChanges, _ chain: LayerChain, _ note: (ManagedObject) -> Void
  ) {
    let touched = identity.objects(touchedBy: changes)
    if touched.count > 8 { readAhead(touched.lazy.map(\.object), chain) }
    var isBack = false
    for (object, kind) in touched {
      refresh(object, chain)
      if kind == .deletion, !object.isGone { isBack = true }
      if kind != .insertion, !object.isGone, !changes.entity.isJoin { note(object) }
    }
    identity.forgetWalks(changes)
    // Others may have led what is not deleted after all elsewhere meanwhile, where no walk has shown it.
    if isBack { identity.forgetAllWalks() }
    identity.noteReferences(changes)
  }

  /// Gives an object the row that the context sees now, with the event's own edits on top.
  ///
  /// An object with edits shows them still, and they count as made before: their save will meet
  /// what others have done to the same properties, or their deletion.
  func refresh(_ object: ManagedObject, _ chain: LayerChain) {
    event.hold()
    defer { event.release() }
    do {
      guard let row = try row(of: object, chain) else {
        // Created in the running event: nobody else knows of it yet.
        if object.isNew, object.isInEvent { return }
        // Its own deletion is what the context sees; that has to be saved still, and may be refused.
        if object.isDoomed || object.isInaccessible { return }
        if object.keepsEdits(chain.newest(object.objectID)) { return }
        object.vanish()
        return
      }
      withExtendedLifetime(row) { takeIn(row.row, object) }
    } catch {
      object.note(unread: error)
    }
  }

  /// Has an object show a newer row, which has the context's published edits already; the event's
  /// edits stay on top of it.
  private func takeIn(_ row: RowPointer, _ object: ManagedObject) {
    forgetReferences()
    if object.isUnread { takeUp(object, row) }
    // A deletion of the context's own, which nobody has published yet, stands.
    object.revive()
    let rowWithEdits = object.extras?.edits.takeIn(
      row, shown: RowPointer(object.row), isInEvent: object.isWritable, object.layout,
      builder: &builder)
    if let rowWithEdits {
      object.show(rowWithEdits)
      object.change { $0.beginWriting() }
    } else if !object.isWritable {
      object.show(row)
      object.extras?.edits.forgetLapsedRules(in: row)
    }
  }
}

extension ManagedObject {
  /// Whether it shows other values than those of a row.
  fileprivate func differs(from before: HeldRow) -> Bool {
    !RowPointer(row).difference(from: before.row, layout).isEmpty
  }

  /// Whether an object whose row is gone shows its edits still, so that the save can tell of the
  /// deletion.
  /// - Parameter newest: The last that was done to it, as far as the context sees; a deletion that
  ///   came after the edits ends them.
  fileprivate func keepsEdits(_ newest: RowChange?) -> Bool {
    guard isEdited, isAlive, !isNew else {
      return false
    }
    return extras?.edits.eventBase != nil || newest?.kind == .update
  }
}

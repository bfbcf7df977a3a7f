import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore

/// Carries out restorations: has objects and links exist again, be as they were, and go.
struct Restorer {
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  var coordinator: PersistentStoreCoordinator { core.coordinator }
  var node: LedgerNode { core.node }

  /// Carries out what the steps of an undo do: objects come back first, so that others can lead to them,
  /// and go last.
  func carryOut(_ restorations: [Restoration], plan: RestorationPlan, names: inout UndoNames) {
    names.late = plan.late
    defer { names.late = [] }
    keepRows(of: restorations.lazy.flatMap(\.departures).map(\.id), &names)
    let returned = bringBack(restorations.flatMap(\.arrivals), plan: plan, names: &names)
    let edits = restorations.flatMap(\.edits)
    let left = LeftEnds(edits, in: core, names: names)
    for edit in edits {
      guard let object = object(of: edit, names: names) else { continue }
      restore(object, by: edit, leaving: left.of(object), names: &names)
      core.hooks.noteSnapshot(of: object, flags: .undoUpdate)
    }
    for edit in edits where !edit.restated.isEmpty {
      if let object = object(of: edit, names: names) { restate(object, by: edit, names: names) }
    }
    for (object, row) in returned {
      let references = object.layout.digest.relationships.filter { $0.kind == .toOne }
      for property in references { restore(reference: property, of: object, to: row.row, &names) }
      core.hooks.noteSnapshot(of: object, flags: .undoDeletion)
    }
    for restoration in restorations {
      for link in restoration.linked { restore(link, names: &names) }
      for link in restoration.moved { restore(link, names: &names, onlyIfLinked: true) }
      for link in restoration.unlinked { remove(link, names: names) }
    }
    for arrival in restorations.lazy.flatMap(\.arrivals) {
      restorePostponed(arrival.id, names: &names)
    }
    let departures = restorations.flatMap(\.departures)
    let going = Set(departures.map(\.id))
    for departure in departures { remove(departure, amid: going, names: names) }
  }

  private func object(of edit: Restoration.Edit, names: UndoNames) -> ManagedObject? {
    core.reader.object(with: names.current(edit.id, follow: core.keys.followed))
  }

  /// Notes what objects are like before anything is done to them that go.
  private func keepRows(of ids: [ManagedObjectID], _ names: inout UndoNames) {
    for id in ids {
      guard let object = core.reader.object(with: id), object.isAlive else {
        continue
      }
      if object.isFault { core.reader.fire(object) }
      names.keep(object.trackedRow.held(by: object.trackedRow.block), of: id)
    }
  }

  private func remove(
    _ departure: Restoration.Departure, amid going: Set<ManagedObjectID>, names: UndoNames
  ) {
    guard let object = core.reader.object(with: departure.id),
      object.isAlive
    else { return }
    if leaveToOthers(object) { return }
    standBehindOthers(object, row: departure.row, names: names)
    leaveOwnEnds(of: object, in: departure.row, staying: { !going.contains($0) }, names: names)
    core.editor.markDeleted(object)
    core.hooks.noteSnapshot(of: object, flags: .undoInsertion)
  }

  /// Takes an object that goes out of what its cascading to-one relationships lead to, which stays without
  /// it.
  private func leaveOwnEnds(
    of object: ManagedObject, in row: RowPointer, staying isStaying: (ManagedObjectID) -> Bool,
    names: UndoNames
  ) {
    for property in object.layout.digest.toOnes where property.deleteRule == .cascade {
      guard UndoPlanner(core).isOwnEnd(property, of: object, in: row, names: names),
        let id = core.keys.reference(of: object, property), isStaying(id)
      else { continue }
      core.setReference(of: object, through: property, to: nil)
    }
  }

  /// Takes the creation of an object back that has turned out to be a row of somebody else's, which stays.
  /// - Returns: Whether it is such an object.
  private func leaveToOthers(_ object: ManagedObject) -> Bool {
    guard object.isNew, !object.layout.uniqueKeys.isEmpty,
      let row = try? core.reader.row(below: object)
    else { return false }
    core.pending.drop(object.registeredID)
    core.keys.settleRefreshes()
    object.change { $0.cancelCreation() }
    object.extras?.revertEdits()
    object.show(row.row)
    object.forgetWalks()
    return true
  }

  /// Has objects exist again.
  /// - Returns: Those that were created anew, whose references are yet to be set.
  private func bringBack(
    _ arrivals: [Restoration.Arrival], plan: RestorationPlan, names: inout UndoNames
  ) -> [(ManagedObject, HeldRow)] {
    var revived: [Revival] = []
    var created: [(ManagedObject, HeldRow)] = []
    for arrival in arrivals {
      switch plan.returns[arrival.id] {
      case .revival(let object, let keepsEdits):
        let committed = object.extras?.edits.committed
        revived.append(
          Revival(
            object: object, row: row(of: arrival, names), committed: committed,
            keepsEdits: keepsEdits))
        if keepsEdits {
          object.makeFault()
        } else {
          core.refresher.dropValues(of: object)
        }
        core.drafts.note(refreshed: object)
      case .creation:
        let row = row(of: arrival, names)
        let object = createAgain(arrival.entity, from: row.row)
        names.replace(arrival.id, by: object.registeredID)
        created.append((object, row))
      case nil, .some(.none): continue
      }
    }
    for arrival in arrivals { names.forgetRow(of: arrival.id) }
    revive(revived, names: &names)
    return created
  }

  /// An object whose unsaved deletion is dropped.
  private struct Revival {
    let object: ManagedObject
    /// What it was like when it went.
    let row: HeldRow
    /// What it was like before the context changed it.
    let committed: HeldRow?
    /// Whether what the context had changed before it deleted the object is in the ledger still.
    let keepsEdits: Bool
  }

  /// Has faults whose deletion is dropped show what they showed before.
  private func revive(_ revivals: [Revival], names: inout UndoNames) {
    core.keys.settleRefreshes()
    let kept = revivals.lazy.filter(\.keepsEdits).map(\.object.registeredID)
    if !kept.isEmpty {
      coordinator.ledger.withdraw(Set(kept), from: node, deletionsOnly: true)
      core.walks.forgetAllWalks()
    }
    if revivals.count > 8 { core.reader.loadFaults(among: revivals.map(\.object)) }
    for revival in revivals { restoreEdits(revival, names: &names) }
  }

  /// Has an object show what the context had changed before it deleted it.
  private func restoreEdits(_ revival: Revival, names: inout UndoNames) {
    let object = revival.object
    core.reader.fire(object)
    core.hooks.noteSnapshot(of: object, flags: .undoDeletion)
    guard let committed = revival.committed else { return }
    if revival.keepsEdits {
      core.catchUp.takeBack(
        object.key, root: object.layout.rootNumber, kind: .update, base: committed.row)
    }
    let edit = Restoration.Edit(
      id: object.registeredID, from: committed.row, to: revival.row.row,
      properties: revival.row.row.difference(from: committed.row, object.layout),
      nullified: PropertySet())
    restore(object, by: edit, names: &names)
  }

  /// What an object is to be like: as it was when it went.
  func row(of arrival: Restoration.Arrival, _ names: UndoNames) -> HeldRow {
    names.lastRow(of: arrival.id) ?? arrival.row.held(by: arrival.row.block)
  }

  /// Creates an object with the attributes of a row; it is told of nothing, as it exists no more than
  /// before.
  private func createAgain(_ layout: EntityLayout, from source: RowPointer) -> ManagedObject {
    let key = core.keys.take(for: layout, batch: 16)
    core.drafts.builder.close()
    var row = core.drafts.builder.begin(layout, key: key)
    for property in layout.properties where property.attributeType != nil {
      if property.derivation != nil { continue }
      row = core.drafts.builder.copyProperty(property.index, from: source, to: row, layout)
    }
    let object = core.registry.makeObject(of: layout, key: key, row: row, state: .new)
    core.registry.insert(object, key: key, root: layout.rootNumber)
    core.drafts.touch(object)
    return object
  }
}

/// The ends of one-to-one links that an undo leaves as they are, because a child has saved a link there since.
///
/// A link is restored whole or not at all: where one end is left, so are those that the same step has changed with
/// it. An end that led to a former partner is left, too, where the child has led that partner elsewhere.
struct LeftEnds {
  private struct End: Hashable {
    let id: ManagedObjectID
    let index: Int
  }

  private var left: Set<End> = []

  init(_ edits: [Restoration.Edit], in core: ContextCore, names: UndoNames) {
    /// The ends that the step has changed, with the ends of their partners before and after it.
    var neighbours: [End: [End]] = [:]
    for edit in edits {
      let id = names.current(edit.id, follow: core.keys.followed)
      guard let layout = core.coordinator.layout(id) else { continue }
      for index in edit.properties.intersection(layout.digest.oneToOnes).indices {
        let property = layout.properties[index]
        guard let inverse = property.destination?.inverse else { continue }
        func end(_ row: RowPointer) -> End? {
          UndoPlanner(core).reference(in: row, through: property, names: names)
            .map { End(id: $0, index: inverse) }
        }
        let own = End(id: id, index: index)
        let partners = [end(edit.from), end(edit.to)].compactMap { $0 }
        neighbours[own] = partners
        if Self.isSaved(own, in: core) || end(edit.to).map({ Self.isSaved($0, in: core) }) == true {
          left.insert(own)
        }
      }
    }
    spread(among: neighbours)
  }

  /// - Complexity: O(ends²) in the worst case; nothing where no end is left.
  private mutating func spread(among neighbours: [End: [End]]) {
    var waiting = Array(left)
    while let end = waiting.popLast() {
      let next = (neighbours[end] ?? []) + neighbours.lazy.filter { $1.contains(end) }.map(\.key)
      for other in next where neighbours[other] != nil && left.insert(other).inserted {
        waiting.append(other)
      }
    }
  }

  private static func isSaved(_ end: End, in core: ContextCore) -> Bool {
    core.keys.registeredObject(end.id).map { isSavedByChild($0, at: end.index, in: core) } ?? false
  }

  /// The ends of an object that are left.
  func of(_ object: ManagedObject) -> PropertySet {
    if left.isEmpty { return PropertySet() }
    let ends = left.filter { $0.id == object.registeredID }
    return PropertySet(ends.map(\.index))
  }

  /// Whether a child has saved the newest value of a property into the context.
  static func isSavedByChild(
    _ object: ManagedObject, at index: Int, in core: ContextCore
  ) -> Bool {
    let id = object.registeredID
    let newest = core.coordinator.ledger.layers(of: core.node).last { layer in
      switch layer.changes.change(id) {
      case .updated(let update): update.changed.contains(index)
      case .inserted: true
      case .deleted, nil: false
      }
    }
    return newest.map { $0.origin !== core.node } ?? false
  }
}

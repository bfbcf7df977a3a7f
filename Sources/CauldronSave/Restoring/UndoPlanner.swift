import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore

/// Looks whether restorations can be carried out, before anything is changed.
struct UndoPlanner {
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }

  /// Looks whether restorations can be carried out, and reads what is needed for it.
  /// - Throws: `object.notFound`; what reading throws.
  func plan(_ restorations: [Restoration], names: UndoNames) throws -> RestorationPlan {
    var plan = RestorationPlan()
    readAhead(restorations, names: names)
    for restoration in restorations {
      for arrival in restoration.arrivals {
        plan.returns[arrival.id] = try wayBack(of: arrival)
      }
      for edit in restoration.edits where plan.returns[edit.id] == nil {
        _ = try core.reader.existingObject(edit.id)
      }
      for departure in restoration.departures { try checkIsReadable(departure.id) }
    }
    for restoration in restorations { try checkEnds(of: restoration, plan: &plan, names: names) }
    if core.undoManager?.takesAllBack != true {
      try checkCascades(restorations, names: names)
    }
    return plan
  }

  /// Whether what shall be led to is there.
  private func checkEnds(
    of restoration: Restoration, plan: inout RestorationPlan, names: UndoNames
  ) throws {
    // A link that was moved is left alone where it is not there any more, as it is without its ends.
    for link in restoration.linked {
      for end in link.ends { try checkIsThere(end, plan: &plan, names: names) }
    }
    for edit in restoration.edits {
      guard let layout = coordinator.layout(edit.id) else { continue }
      for index in edit.properties.indices where layout.properties[index].kind == .toOne {
        try checkDestination(
          in: edit.to, through: layout.properties[index], plan: &plan, names: names)
      }
    }
    for arrival in restoration.arrivals {
      for property in arrival.entity.digest.relationships where property.kind == .toOne {
        try checkDestination(
          in: Restorer(core).row(of: arrival, names).row, through: property, plan: &plan,
          names: names)
      }
    }
  }

  private func checkDestination(
    in row: RowPointer, through property: PropertyLayout, plan: inout RestorationPlan,
    names: UndoNames
  ) throws {
    if let id = reference(in: row, through: property, names: names) {
      try checkIsThere(id, plan: &plan, names: names)
    }
  }

  /// Checks that an object which a reference is to lead to exists, or comes back later in this
  /// undo. Under the rule that denies a deletion, objects that refer to a deleted one may be
  /// deleted after it, and then come back before it.
  private func checkIsThere(
    _ id: ManagedObjectID, plan: inout RestorationPlan, names: UndoNames
  ) throws {
    if plan.returns[id] != nil || plan.late.contains(id) { return }
    do {
      _ = try core.reader.existingObject(id)
    } catch let error as CauldronError where error.code == .objectNotFound {
      guard comesBackLater(id, names: names) else { throw error }
      plan.late.insert(id)
    }
  }

  /// Whether what is left to be undone has deleted an object.
  /// - Complexity: O(all deletions that can be undone); asked only where an object is missing.
  private func comesBackLater(_ id: ManagedObjectID, names: UndoNames) -> Bool {
    guard let undoManager = core.undoManager, undoManager.isUndoing else { return false }
    return (undoManager.done + undoManager.open).lazy.flatMap(\.steps).contains { step in
      guard !step.isReversal else { return false }
      let changes = coordinator.ledger.followed(step.changes)
      return changes.entities.contains { set in
        set.entity.rootNumber == coordinator.layout(id)?.rootNumber
          && set.deleted.contains { deletion in
            names.current(
              coordinator.id(deletion.base.key, of: set.entity), follow: core.keys.followed)
              == id
          }
      }
    }
  }

  /// What goes need not be there; but who could not read it could not delete it, either.
  private func checkIsReadable(_ id: ManagedObjectID) throws {
    do {
      _ = try core.reader.existingObject(id)
    } catch let error as CauldronError where error.code == .objectNotFound {
      return
    }
  }

  private func wayBack(of arrival: Restoration.Arrival) throws -> RestorationPlan.Return {
    if let object = core.keys.registeredObject(arrival.id), object.isDoomed {
      return try wayBack(ofDeleted: object)
    }
    do {
      _ = try core.reader.existingObject(arrival.id)
      return .none
    } catch let error as CauldronError where error.code == .objectNotFound {
      return .creation
    }
  }

  /// How an object comes back that the context has deleted and not saved.
  private func wayBack(
    ofDeleted object: ManagedObject
  ) throws -> RestorationPlan.Return {
    let id = object.registeredID
    let (layers, rest) = coordinator.ledger.droppable(of: node)
    let own = layers.compactMap { $0.changes.change(id)?.kind }
    let others = rest.compactMap { $0.changes.change(id)?.kind }
    // A deletion that is being written, or came with a child's save, stands; and what was created here has
    // nothing below it.
    guard own.last == .deletion, !own.contains(.insertion), others.last != .deletion else {
      return .creation
    }
    if try !others.isEmpty || core.reader.row(below: object) != nil {
      return .revival(object, keepsEdits: !others.isEmpty && own.count > 1)
    }
    throw CauldronError.notFound(object)
  }

  /// Reads the rows of all objects that are needed, many with one statement.
  private func readAhead(_ restorations: [Restoration], names: UndoNames) {
    var ids: Set<ManagedObjectID> = []
    for restoration in restorations {
      ids.formUnion(restoration.edits.map(\.id) + restoration.departures.map(\.id))
      ids.formUnion((restoration.linked + restoration.moved).flatMap(\.ends))
      for arrival in restoration.arrivals {
        for property in arrival.entity.digest.relationships where property.kind == .toOne {
          if let id = reference(
            in: Restorer(core).row(of: arrival, names).row, through: property, names: names)
          {
            ids.insert(id)
          }
        }
      }
      for edit in restoration.edits {
        guard let layout = coordinator.layout(edit.id) else { continue }
        for index in edit.properties.indices where layout.properties[index].kind == .toOne {
          if let id = reference(in: edit.to, through: layout.properties[index], names: names) {
            ids.insert(id)
          }
        }
      }
      ids.subtract(restoration.arrivals.map(\.id))
    }
    if ids.count > 8 {
      core.reader.loadFaults(among: ids.compactMap { core.reader.object(with: $0) })
    }
  }

  /// The object that a to-one relationship leads to in a row, as it is called now.
  func reference(
    in row: RowPointer, through property: PropertyLayout, names: UndoNames
  ) -> ManagedObjectID? {
    core.keys.reference(in: row, property).map { names.current($0, follow: core.keys.followed) }
  }
}

/// How objects come back; made before anything is changed.
struct RestorationPlan {
  enum Return {
    /// The object's deletion is not saved, and is dropped; so are its other changes, which are then made
    /// again, unless others have built on them.
    case revival(ManagedObject, keepsEdits: Bool)
    /// It is created anew.
    case creation
    /// It is there again, because somebody has dropped the deletion.
    case none
  }

  var returns: [ManagedObjectID: Return] = [:]

  /// What is led to and comes back only when more is undone.
  var late: Set<ManagedObjectID> = []
}

extension UndoPlanner {
  /// What goes must not take along what came later: nobody has asked for that.
  ///
  /// Judged is what relationships lead to once all other parts of the restorations are carried out: those
  /// come first.
  /// - Complexity: A statement for each cascading relationship of a few hundred objects.
  func checkCascades(_ restorations: [Restoration], names: UndoNames) throws {
    let departures = restorations.flatMap(\.departures)
    let going = Set(departures.map(\.id))
    let rows = Dictionary(departures.map { ($0.id, $0.row) }, uniquingKeysWith: { $1 })
    let restored = RestoredEnds(restorations, names, core)
    for (_, family) in Dictionary(grouping: departures, by: \.id.entityNumber) {
      guard let entity = family.first?.entity else { continue }
      let objects = family.compactMap { core.keys.registeredObject($0.id) }.filter {
        $0.isAlive
      }
      for property in entity.digest.relationships where property.deleteRule == .cascade {
        if property.kind == .toMany { core.walker.walk(objects, through: property) }
        for object in objects {
          if let row = rows[object.registeredID],
            isOwnEnd(property, of: object, in: row, names: names)
          {
            continue
          }
          let others = core.walker.ends(of: object, property).filter {
            !going.contains($0.objectID) && $0.isAlive
              && !isLedElsewhere($0, from: object, through: property, restored: restored)
          }
          if !others.isEmpty {
            throw CauldronError.blocked(by: others, of: object, through: property)
          }
        }
      }
    }
  }

  /// Whether the restorations lead what an object's relationship leads to elsewhere.
  private func isLedElsewhere(
    _ other: ManagedObject, from object: ManagedObject, through property: PropertyLayout,
    restored: RestoredEnds
  ) -> Bool {
    if coordinator.has(.cascadesFirst) { return false }
    if let join = property.join {
      return restored.unlinked.contains(
        coordinator.id(
          core.walker.joinKey(from: object.key, to: other.key, by: join), of: join.entity))
    }
    guard let inverse = property.destination?.inverse,
      let edits = restored.edits[other.registeredID],
      let edit = edits.last(where: { $0.properties.contains(inverse) })
    else { return false }
    let end = other.layout.properties[inverse]
    return reference(in: edit.to, through: end, names: restored.names) != object.registeredID
      && Restorer(core).willRestore(inverse, of: other, by: edit, names: restored.names)
  }

  /// Whether an object that goes has led its to-one relationship where it leads since it came, or led it
  /// there before and not any more when it went: then what is there stays without it, as it did then.
  ///
  /// Of a one-to-one relationship the other side tells that.
  func isOwnEnd(
    _ property: PropertyLayout, of object: ManagedObject, in row: RowPointer, names: UndoNames
  ) -> Bool {
    guard property.kind == .toOne, let destination = property.destination,
      destination.entity.properties[destination.inverse].kind == .toMany
    else { return false }
    return core.keys.reference(of: object, property)
      == reference(in: row, through: property, names: names)
  }
}

/// What restorations make of the ends of relationships.
private struct RestoredEnds {
  /// Which objects stand for others by then.
  let names: UndoNames
  /// The edits of each object, in the order in which they are made.
  private(set) var edits: [ManagedObjectID: [Restoration.Edit]] = [:]
  /// The links that are taken away in the end.
  private(set) var unlinked: Set<ManagedObjectID> = []

  init(_ restorations: [Restoration], _ names: UndoNames, _ context: ContextCore) {
    self.names = names
    func row(of link: Restoration.Link) -> ManagedObjectID? {
      JoinKey.key(link.ends[0].key, link.ends[1].key, isSwapped: false)
        .map { context.coordinator.id($0, of: link.join) }
    }
    for restoration in restorations {
      for edit in restoration.edits { edits[edit.id, default: []].append(edit) }
      unlinked.subtract((restoration.linked + restoration.moved).compactMap(row))
      unlinked.formUnion(restoration.unlinked.compactMap(row))
    }
  }
}

extension CauldronError {
  fileprivate static func blocked(
    by others: [ManagedObject], of object: ManagedObject, through property: PropertyLayout
  ) -> CauldronError {
    let count = others.count == 1 ? "an object" : "\(others.count) objects"
    var error = CauldronError(
      .undoBlocked,
      "deleting \(object.layout.name) \(object.objectID) would take \(count) of its \(property.name)"
        + " along, which came later",
      hint: "")
    error.entity = object.layout.name
    error.property = property.name
    error.objectIDs = [object.objectID] + others.map(\.objectID)
    return error
  }
}

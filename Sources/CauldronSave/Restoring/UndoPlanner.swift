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

import CauldronModel

extension ContextCore {
  /// Carries out what the steps of an undo do: objects come back first, so that others can lead to them,
  /// and go last.
  func carryOut(_ restorations: [Restoration], _ plan: RestorationPlan, _ names: inout UndoNames) {
    let returned = bringBack(restorations.flatMap(\.arrivals), plan, &names)
    for edit in restorations.lazy.flatMap(\.edits) {
      guard let object = object(with: names.current(edit.id, followed)) else { continue }
      restore(object, edit.properties, from: edit.from, to: edit.to, names)
      noteSnapshot(object, .undoUpdate)
    }
    for (object, row) in returned {
      let references = object.layout.digest.relationships.filter { $0.kind == .toOne }
      for property in references { restore(reference: property, of: object, to: row, names) }
      noteSnapshot(object, .undoDeletion)
    }
    for restoration in restorations {
      for link in restoration.linked { restore(link, names) }
      for link in restoration.moved { restore(link, names) }
      for link in restoration.unlinked { remove(link, names) }
    }
    for id in restorations.lazy.flatMap(\.departures) { remove(id) }
  }

  private func remove(_ id: ManagedObjectID) {
    guard let object = object(with: id), object.state.isDisjoint(with: [.gone, .deleted]) else {
      return
    }
    markDeleted(object)
    noteSnapshot(object, .undoInsertion)
  }

  /// Has objects exist again.
  /// - Returns: Those that were created anew, whose references are yet to be set.
  private func bringBack(
    _ arrivals: [Restoration.Arrival], _ plan: RestorationPlan, _ names: inout UndoNames
  ) -> [(ManagedObject, RowPointer)] {
    var revived: [(ManagedObject, RowPointer, committed: HeldRow?)] = []
    var created: [(ManagedObject, RowPointer)] = []
    for arrival in arrivals {
      switch plan.returns[arrival.id] {
      case .revival(let object):
        revived.append((object, arrival.row, object.extras?.committed))
        dropValues(of: object)
        note(refreshed: object)
      case .creation:
        let object = createAgain(arrival)
        names.replace(arrival.id, by: object.registeredID)
        created.append((object, arrival.row))
      case nil, .some(.none): continue
      }
    }
    settleRefreshes()
    if revived.count > 8 { loadFaults(among: revived.map(\.0)) }
    for (object, row, committed) in revived {
      fire(object)
      noteSnapshot(object, .undoDeletion)
      guard let committed else { continue }
      // What the context had changed before it deleted the object.
      let edits = row.difference(from: committed.row, object.layout)
      restore(object, edits, from: committed.row, to: row, names)
    }
    return created
  }

  /// Creates an object with the attributes of a row; it is told of nothing, as it exists no more than
  /// before.
  private func createAgain(_ arrival: Restoration.Arrival) -> ManagedObject {
    let layout = arrival.entity
    let key = keys.take(layout, 16)
    builder.close()
    var row = builder.begin(layout, key: key)
    for property in layout.properties where property.attributeType != nil {
      if property.derivation != nil { continue }
      row = builder.copyProperty(property.index, from: arrival.row, to: row, layout)
    }
    let object = makeObject(layout, key, row, [.writable, .inserted, .inEvent])
    identity.insert(object, key, root: layout.rootNumber)
    touch(object)
    return object
  }
}

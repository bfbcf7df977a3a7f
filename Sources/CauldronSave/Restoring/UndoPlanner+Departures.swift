import CauldronGraph
import CauldronLedger
import CauldronModel

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

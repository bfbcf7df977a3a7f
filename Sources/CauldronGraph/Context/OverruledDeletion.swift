import CauldronLedger
import CauldronModel
import CauldronStore

/// A deletion of a context's own that the policy of a child's save has overruled.
struct OverruledDeletion {
  let object: ManagedObject
  /// What the context had changed of the object before it deleted it, and the child has seen; nil for nothing.
  private(set) var edit: (update: RowUpdate, memory: HeldRow)?
  /// The references that the object does not come back with.
  private(set) var lost = PropertySet()
  /// Whether another deletion lies further up.
  let isGoneBelow: Bool

  /// - Parameter update: What has brought the object back; nil where the object is gone all the same, by a
  ///   deletion further up.
  init(_ object: ManagedObject, by update: RowUpdate?, _ builder: inout RowBuilder) {
    self.object = object
    isGoneBelow = update == nil
    let (shown, layout) = (RowPointer(object.row), object.layout)
    guard let update, let edits = object.extras?.edits, let before = edits.committed else {
      edit = nil
      return
    }
    let seen = shown.difference(from: before.row, layout)
      .subtracting(update.base.difference(from: shown, layout))
    if seen.isEmpty {
      edit = nil
      return
    }
    let row = builder.merge(seen, from: shown, onto: before.row, layout)
    row.setVersion(before.row.nextVersion)
    builder.close()
    let own = RowUpdate(
      row: row, base: before.row, changed: seen, nullified: edits.nullified.intersection(seen))
    edit = (own, row.held)
  }

  /// Has references of the object lead nowhere that have lost what they led to.
  /// - Parameter others: The objects that come back as well.
  mutating func clearLost(
    comingBackWith others: Set<ManagedObjectID>, keys: ObjectKeys, builder: inout RowBuilder
  ) {
    if isGoneBelow { return }
    let lost = LostReferences(of: object, comingBackWith: others, keys)
    self.lost = lost.all
    if lost.all.isEmpty { return }
    let base = edit?.update.base ?? RowPointer(object.row)
    let row = builder.cleared(edit?.update.row ?? base, lost.all, of: object.layout)
    row.setVersion(base.nextVersion)
    builder.close()
    let earlier = edit?.update
    let update = RowUpdate(
      row: row, base: base, changed: lost.all.union(earlier?.changed ?? PropertySet()),
      nullified: lost.deleted.union(earlier?.nullified ?? PropertySet()).subtracting(lost.taken))
    edit = (update, row.held)
  }
}

/// The references of an object by which it does not come back from its deletion: the context has deleted what
/// they lead to, or has led that elsewhere, while the object was deleted.
struct LostReferences {
  /// One-to-one ends at partners that were led elsewhere.
  private(set) var taken = PropertySet()
  /// References to objects that stay deleted.
  private(set) var deleted = PropertySet()

  /// - Parameter others: The objects that come back as well.
  init(
    of object: ManagedObject, comingBackWith others: Set<ManagedObjectID> = [], _ keys: ObjectKeys
  ) {
    // A required reference stays, and the save is refused.
    for property in object.layout.digest.toOnes where !property.isRequired {
      guard let target = keys.reference(of: object, property).flatMap(keys.registeredObject),
        !others.contains(target.registeredID), let inverse = property.destination?.inverse
      else { continue }
      if target.isDoomed {
        deleted.insert(property.index)
      } else if property.isOneToOne, target.extras?.edits.nullified.contains(inverse) == false,
        keys.reference(of: target, target.layout.properties[inverse]) != object.objectID
      {
        taken.insert(property.index)
      }
    }
  }

  var all: PropertySet { taken.union(deleted) }
}

/// Finds edited one-to-one links that another save has made, too.
///
/// A refresh that keeps edits has them count as made from the newest rows. A link that is there already is none
/// then, and neither of its ends may stay one: a later save would write one half.
struct LinksSavedElsewhere {
  private let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  /// Both ends of the edited links of refreshed objects that another save has made, too: they are no edits any
  /// more, at neither end.
  /// - Complexity: O(ends · own layers), and one row for each end.
  func ends(
    of objects: [ManagedObject]
  ) -> [(object: ManagedObject, properties: PropertySet)] {
    var ends: [ObjectIdentifier: (object: ManagedObject, properties: PropertySet)] = [:]
    func end(_ index: Int, of object: ManagedObject) {
      ends[ObjectIdentifier(object), default: (object, PropertySet())].properties.insert(index)
    }
    for object in objects where !object.layout.digest.oneToOnes.isEmpty {
      for (property, partner) in core.relations.editedPairs(of: object) {
        if core.relations.isBrought(object.registeredID, at: property.index) { continue }
        guard isAsBelow(object, at: property.index) else { continue }
        end(property.index, of: object)
        guard let inverse = property.destination?.inverse,
          let partner = partner.flatMap(core.keys.registeredObject),
          core.keys.reference(of: partner, partner.layout.properties[inverse]) == object.objectID,
          isAsBelow(partner, at: inverse)
        else { continue }
        end(inverse, of: partner)
      }
    }
    return Array(ends.values)
  }

  /// Whether an object shows a property as what lies below the context has it.
  private func isAsBelow(_ object: ManagedObject, at index: Int) -> Bool {
    guard !object.isFault, let below = try? core.reader.row(below: object) else { return false }
    return withExtendedLifetime(below) {
      !below.row.difference(from: RowPointer(object.row), object.layout).contains(index)
    }
  }
}

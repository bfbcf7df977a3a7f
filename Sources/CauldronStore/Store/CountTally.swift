package import CauldronModel

/// What change sets do to the to-many relationships whose objects a save counts.
package struct CountTally {
  /// A relationship of one object.
  package struct Place: Hashable {
    /// The root entity of the object that has the relationship.
    package let root: Int32
    package let key: Int64
    /// The relationship's index.
    package let relationship: Int
  }

  /// What became of a relationship.
  package struct Change {
    package let limit: CountLimit
    /// The entity that the object is of, or below which it is.
    package fileprivate(set) var owner: EntityLayout
    /// Whether the object is new.
    package fileprivate(set) var isInserted = false
    /// How many more objects there are than before, if several sets do not bring the same one.
    package fileprivate(set) var net = 0
    /// Whether several sets have a part in it, which may bring the same object.
    package fileprivate(set) var isShared = false
    fileprivate var gains = false
    fileprivate var loses = false
    fileprivate var lastSet: Int?

    /// Whether the number may be wrong now and have been right before.
    package var isDoubtful: Bool {
      isInserted || gains && limit.limitsGains || loses && limit.limitsLosses
    }

    /// Whether the change goes in the direction in which the number is wrong.
    package func leads(to failure: CountFailure) -> Bool {
      switch failure {
      case .tooMany: gains
      case .tooFew: loses || isInserted
      }
    }

    /// What refers to the object: a link, or the object at the other end.
    package var referrer: (entity: EntityLayout, property: PropertyLayout)? {
      let relationship = owner.properties[limit.index]
      if let join = relationship.join {
        return (join.entity, join.entity.properties[join.near])
      }
      return relationship.destination.map { ($0.entity, $0.entity.properties[$0.inverse]) }
    }
  }

  package private(set) var changes: [Place: Change] = [:]
  private var deleted: Set<Owner> = []
  /// The number of the set that is being added.
  private var number = 0

  private struct Owner: Hashable {
    let root: Int32
    let key: Int64
  }

  /// - Complexity: O(changed rows) of entities with such relationships, nothing for others.
  package init(_ sets: some Sequence<ChangeSet>) {
    for set in sets {
      for changes in set.entities { add(changes) }
      number += 1
    }
  }

  /// The relationships that have to be looked at, in the order of their objects.
  package var doubtful: [(place: Place, change: Change)] {
    changes.lazy
      .filter { place, change in
        change.isDoubtful && !self.deleted.contains(Owner(root: place.root, key: place.key))
      }
      .map { (place: $0.key, change: $0.value) }
      .sorted { a, b in
        (a.place.root, a.place.key, a.place.relationship)
          < (b.place.root, b.place.key, b.place.relationship)
      }
  }

  private mutating func add(_ set: EntityChanges) {
    let digest = set.entity.digest
    for limit in digest.counted {
      for row in set.inserted {
        let place = place(of: row.key, owner: set.entity, limit: limit)
        changes[place, default: Change(limit: limit, owner: set.entity)].note(number) {
          $0.owner = set.entity
          $0.isInserted = true
        }
        // It is there once more.
        if !deleted.isEmpty { deleted.remove(Owner(root: place.root, key: row.key)) }
      }
      for update in set.updated where update.isRestored { addReturn(update, set.entity, limit) }
      for row in set.deleted { deleted.insert(Owner(root: set.entity.rootNumber, key: row.key)) }
    }
    for index in digest.countedByOthers { add(set, at: index) }
  }

  /// An object is there once more, or still.
  private mutating func addReturn(
    _ update: RowUpdate, _ entity: EntityLayout, _ limit: CountLimit
  ) {
    let place = place(of: update.row.key, owner: entity, limit: limit)
    changes[place, default: Change(limit: limit, owner: entity)].note(number) {
      $0.owner = entity
      $0.isInserted = true
      $0.isShared = true
    }
    deleted.remove(Owner(root: place.root, key: update.row.key))
  }

  private mutating func add(_ set: EntityChanges, at index: Int) {
    guard let reference = CountedReference(set.entity.properties[index]) else { return }
    for row in set.inserted { count(row, of: reference, by: 1) }
    for update in set.updated where update.changed.contains(index) && update.moves(index) {
      count(update.base, of: reference, by: -1)
      count(update.row, of: reference, by: 1)
    }
    for update in set.updated where update.isRestored { countReturn(update.row, of: reference) }
    for deletion in set.deleted { count(deletion.base, of: reference, by: -1) }
  }

  /// Whether there is one object more depends on what lies below, so that it has to be counted.
  private mutating func countReturn(_ row: RowPointer, of reference: CountedReference) {
    if row.isNull(reference.index) { return }
    let (owner, limit) = (reference.owner, reference.limit)
    let place = place(of: row.slot(reference.index), owner: owner, limit: limit)
    changes[place, default: Change(limit: limit, owner: owner)].note(number) {
      ($0.gains, $0.isShared) = (true, true)
    }
  }

  private mutating func count(_ row: RowPointer, of reference: CountedReference, by step: Int) {
    if row.isNull(reference.index) { return }
    let (owner, limit) = (reference.owner, reference.limit)
    let place = place(of: row.slot(reference.index), owner: owner, limit: limit)
    changes[place, default: Change(limit: limit, owner: owner)].note(number) {
      $0.net += step
      if step > 0 { $0.gains = true } else { $0.loses = true }
    }
  }

  /// A to-one reference that counts for a relationship of the object to which it leads.
  private struct CountedReference {
    let index: Int
    let owner: EntityLayout
    /// The limit of the owner's relationship.
    let limit: CountLimit

    init?(_ property: PropertyLayout) {
      guard let destination = property.destination, let limit = CountLimit(inverseOf: property)
      else { return nil }
      index = property.index
      owner = destination.entity
      self.limit = limit
    }
  }

  private func place(of key: Int64, owner: EntityLayout, limit: CountLimit) -> Place {
    Place(root: owner.rootNumber, key: key, relationship: limit.index)
  }
}

extension CountTally.Change {
  fileprivate mutating func note(_ set: Int, change: (inout Self) -> Void) {
    if let lastSet, lastSet != set { isShared = true }
    lastSet = set
    change(&self)
  }
}

extension RowUpdate {
  /// Whether a reference leads to another object than before, and not only to another place there.
  fileprivate func moves(_ index: Int) -> Bool {
    base.isNull(index) != row.isNull(index) || base.slot(index) != row.slot(index)
  }
}

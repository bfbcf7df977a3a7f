import CauldronModel

/// What layers do to the to-many relationships whose objects a save counts.
struct CountTally {
  /// A relationship of one object.
  struct Place: Hashable {
    /// The root entity of the object that has the relationship.
    let root: Int32
    let key: Int64
    /// The relationship's index.
    let relationship: Int
  }

  /// What became of a relationship.
  struct Change {
    let limit: CountLimit
    /// The entity that the object is of, or below which it is.
    var owner: EntityLayout
    /// Whether the object is new.
    var isInserted = false
    /// How many more objects there are than before.
    var net = 0
    var gains = false
    var loses = false

    /// Whether the number may be wrong now and have been right before.
    var isDoubtful: Bool {
      isInserted || gains && limit.limitsGains || loses && limit.limitsLosses
    }
  }

  private(set) var changes: [Place: Change] = [:]
  private var deleted: Set<Owner> = []

  private struct Owner: Hashable {
    let root: Int32
    let key: Int64
  }

  /// - Complexity: O(changed rows) of entities with such relationships, nothing for others.
  init(_ layers: some Sequence<Layer>) {
    for layer in layers {
      for set in layer.changes.entities { add(set) }
    }
  }

  /// The relationships that have to be looked at, in the order of their objects.
  var doubtful: [(place: Place, change: Change)] {
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
        changes[place(row.key, set.entity, limit), default: Change(limit: limit, owner: set.entity)]
          .note {
            $0.owner = set.entity
            $0.isInserted = true
          }
      }
      for row in set.deleted { deleted.insert(Owner(root: set.entity.rootNumber, key: row.key)) }
    }
    for index in digest.countedByOthers { add(set, index) }
  }

  private mutating func add(_ set: EntityChanges, _ index: Int) {
    guard let destination = set.entity.properties[index].destination,
      let limit = CountLimit(inverseOf: set.entity.properties[index])
    else { return }
    let owner = destination.entity
    for row in set.inserted { count(row, index, owner, limit, 1) }
    for update in set.updated where update.changed.contains(index) {
      count(update.base, index, owner, limit, -1)
      count(update.row, index, owner, limit, 1)
    }
    for deletion in set.deleted { count(deletion.base, index, owner, limit, -1) }
  }

  private mutating func count(
    _ row: RowPointer, _ index: Int, _ owner: EntityLayout, _ limit: CountLimit, _ step: Int
  ) {
    if row.isNull(index) { return }
    let place = place(row.slot(index), owner, limit)
    changes[place, default: Change(limit: limit, owner: owner)].note {
      $0.net += step
      if step > 0 { $0.gains = true } else { $0.loses = true }
    }
  }

  private func place(_ key: Int64, _ owner: EntityLayout, _ limit: CountLimit) -> Place {
    Place(root: owner.rootNumber, key: key, relationship: limit.index)
  }
}

extension CountTally.Change {
  fileprivate mutating func note(_ change: (inout Self) -> Void) { change(&self) }
}

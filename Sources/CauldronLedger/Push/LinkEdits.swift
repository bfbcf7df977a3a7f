import CauldronModel
import CauldronStore

/// The end of a one-to-one link that a policy has decided about.
struct LinkEnd {
  let object: ManagedObjectID
  /// The property of the object.
  let index: Int
  /// The number of the object's root entity.
  let root: Int32
  /// The entity at the other end.
  let partner: EntityLayout
  /// The property there.
  let inverse: Int

  init?(_ resolution: SaveResolution, _ coordinator: PersistentStoreCoordinator) {
    guard let name = resolution.property, let entity = coordinator.layout(resolution.objectID),
      let index = entity.index(of: name)
    else { return nil }
    self.init(resolution.objectID, index, coordinator)
  }

  init?(_ id: ManagedObjectID, _ index: Int, _ coordinator: PersistentStoreCoordinator) {
    guard let entity = coordinator.layout(id), entity.digest.oneToOnes.contains(index),
      let destination = entity.properties[index].destination
    else { return nil }
    object = id
    self.index = index
    root = entity.rootNumber
    partner = destination.entity
    inverse = destination.inverse
  }

  func key(_ value: AttributeScalar?) -> Int64? {
    if case .integer(let key) = value { key } else { nil }
  }

  /// Where the end lies.
  var place: LinkPlace { LinkPlace(root: root, key: object.key, property: index) }

  /// The end of a partner.
  func place(ofPartner key: Int64) -> LinkPlace {
    LinkPlace(root: partner.rootNumber, key: key, property: inverse)
  }
}

/// A reference of a row.
package struct LinkPlace: Hashable {
  package let root: Int32
  package let key: Int64
  package let property: Int
}

/// What has to be done to one-to-one links because of what a policy has decided.
struct LinkEdits {
  /// Partners whose references to an object are taken away.
  private(set) var unlinked: [(Int64, LinkEnd)] = []
  /// Partners that have to lead back to an object; those of other objects, too, where these are to lose them.
  private(set) var linked: [(key: Int64, end: LinkEnd, takes: Bool)] = []
  /// The rows of those of them that do not, yet.
  var relinked: [(RowPointer, LinkEnd)] = []
  /// Edited ends that do not stand.
  private var dropped: Set<LinkPlace> = []
  /// Ends that lead nowhere, as the save has led both their partners elsewhere.
  private var cleared: Set<LinkPlace> = []

  var isEmpty: Bool {
    unlinked.isEmpty && linked.isEmpty && dropped.isEmpty && cleared.isEmpty
  }

  /// Drops both ends of a link that was made, or the one end of a link that was taken away.
  mutating func drop(_ key: Int64?, at end: LinkEnd) {
    dropped.insert(end.place)
    if let key { dropped.insert(end.place(ofPartner: key)) }
  }

  /// Whether the edit of an end does not stand, so that its partners keep what they have.
  func drops(_ end: LinkEnd) -> Bool { dropped.contains(end.place) }

  /// Has an end lead nowhere that the save did not edit.
  mutating func clear(_ end: LinkEnd) { cleared.insert(end.place) }

  mutating func unlink(_ key: Int64, at end: LinkEnd) { unlinked.append((key, end)) }

  /// - Parameter takes: Whether a partner of another object is taken from it; else the link is not made.
  mutating func link(_ key: Int64, at end: LinkEnd, takes: Bool) {
    linked.append((key, end, takes))
  }

  /// Has the ends that were edited together with dropped ones be dropped, too: a link that is not made
  /// is not taken from its former owner.
  /// - Complexity: O(edited ends) where there are dropped ones.
  mutating func dropUnits(of changes: ChangeSet) {
    if dropped.isEmpty { return }
    let neighbours = LinkNeighbours(changes)
    var rest = Array(dropped)
    while let place = rest.popLast() {
      for other in neighbours.all[place] ?? [] where dropped.insert(other).inserted {
        rest.append(other)
      }
    }
  }

  /// The properties of a row whose references lead nowhere.
  func cleared(_ row: RowPointer, of entity: EntityLayout) -> [Int] {
    if cleared.isEmpty { return [] }
    return entity.digest.oneToOnes.indices.filter {
      cleared.contains(LinkPlace(root: entity.rootNumber, key: row.key, property: $0))
    }
  }

  /// The properties of a row whose references do not stand.
  /// - Parameter set: The edited ones; nil for a new row.
  func dropped(_ row: RowPointer, of entity: EntityLayout, among set: PropertySet?) -> [Int] {
    let ends = entity.digest.oneToOnes
    if dropped.isEmpty || ends.isEmpty { return [] }
    return (set.map { $0.intersection(ends) } ?? ends).indices.filter { index in
      // A new row has nothing to go back to: a required reference stays, and the save is refused.
      (set != nil || !row.isNull(index) && !entity.properties[index].isRequired)
        && dropped.contains(
          LinkPlace(root: entity.rootNumber, key: row.key, property: index))
    }
  }
}

/// Which ends of one-to-one links were edited with which others: an end with those that it led to, and
/// leads to.
private struct LinkNeighbours {
  private(set) var all: [LinkPlace: [LinkPlace]] = [:]

  init(_ changes: ChangeSet) {
    for set in changes.entities {
      let ends = set.entity.digest.oneToOnes
      if ends.isEmpty { continue }
      for row in set.inserted {
        for index in ends.indices { join(at: index, in: row, of: set.entity, own: row) }
      }
      for update in set.updated {
        for index in update.brought(among: ends).subtracting(update.nullified).indices {
          join(at: index, in: update.row, of: set.entity, own: update.row)
          join(at: index, in: update.base, of: set.entity, own: update.row)
        }
      }
    }
  }

  /// - Parameter row: Where the end leads to, or has led to.
  private mutating func join(
    at index: Int, in row: RowPointer, of entity: EntityLayout, own: RowPointer
  ) {
    guard !row.isNull(index), let destination = entity.properties[index].destination else { return }
    let near = LinkPlace(root: entity.rootNumber, key: own.key, property: index)
    let far = LinkPlace(
      root: destination.entity.rootNumber, key: row.slot(index), property: destination.inverse)
    all[near, default: []].append(far)
    all[far, default: []].append(near)
  }
}

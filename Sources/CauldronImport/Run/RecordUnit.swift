import CauldronGraph
import CauldronModel

/// What one record does beside its objects: it counts only where the record is not refused.
struct RecordUnit {
  let record: RecordDraft
  /// What became of the record's own object.
  var outcome = Outcome.unchanged
  /// What became of nested objects, by the number of their plans.
  var related: [Int: (created: Int, updated: Int)] = [:]
  /// Members that were taken out and are to be deleted where nobody links them.
  var removed: [RemovedMember] = []
  /// How many objects were deleted at once, as another one stands where they must.
  var deleted = 0
  var linked: [LinkPlace: Int] = [:]
  /// What was there, and is not known to be changed, of classes that may change it themselves.
  var untouched: [(object: ManagedObject, plan: Int, isOwn: Bool)] = []
  /// Members that stay where they are, because they have said so.
  var spared: Set<ObjectIdentifier> = []
  /// The required relationships of nested objects that lead to who they are nested in, by number.
  var ways: [Int: String] = [:]
  /// What is wrong with objects that are asked first whether they are to be imported, by number.
  var refusals: [Int: Refusal] = [:]
  /// The objects that wait for a link.
  var waits: Set<ManagedObjectID> = []
  var late: [LateObject] = []
  /// Whether it is taken back where it is refused.
  var isUndoable = false
  /// How what it has noted is forgotten, the last first.
  var steps: [Step] = []

  enum Outcome { case created, updated, unchanged, declined }

  /// Something that was noted across records.
  enum Step {
    case keyed(KeyRef, slot: Int?)
    case waits(KeyRef)
    case hasArrived(KeyRef, [Waiting])
    case stub(ManagedObjectID)
    case linksStub(ManagedObjectID)
    case isFilled(ManagedObjectID, KeyRef, [Waiting])
    case lapsed(LinkPlace, Int?)
  }
}

/// A member that was taken out of a relationship, and is deleted where nothing else leads to it.
struct RemovedMember {
  var id: ManagedObjectID
  var owner: ManagedObjectID
  /// The owner's relationship.
  let property: Int
  /// Whether it leads to the owner still.
  let isKept: Bool
  /// When it was taken out, among all that is said of links.
  let serial: Int
  let record: RecordDraft
}

/// An object that waits for a link, and can be validated only when that is there, or will never be.
struct LateObject {
  var id: ManagedObjectID
  let record: RecordDraft
  /// The pointer that leads to it in the record.
  let path: String
  /// Whether it is the record's own.
  let isOwn: Bool
  let isNew: Bool
}

/// A link that was made to an object of which nothing but the key is known, or that could not be made yet.
struct Waiting {
  /// The object in whose record the link is.
  var owner: ManagedObjectID
  /// The numbers of its plan and of the relationship in that.
  let plan: Int
  let relationship: Int
  /// The property that is.
  let property: Int
  let record: Int
  /// Where the link is in the file.
  let pointer: String
  /// Its number among all that is said of such relationships.
  let serial: Int
  /// What the record lists, and where in it the link is.
  let list: LinkList
  let position: Int
  /// What a to-one relationship led to before it led to an object that may go again.
  var former: ManagedObjectID?

  var place: LinkPlace { LinkPlace(owner: owner, property: property) }
}

/// What a record lists in a relationship, where some of that is not there yet.
final class LinkList {
  /// Nil for those that are not there yet.
  private(set) var ids: [ManagedObjectID?] = []
  /// Whether something has come that was not there.
  var hasGrown = false
  /// When all of it had been read, by the number of what was said last; until then nothing is later.
  var since = Int.max

  /// Takes in what was there.
  func take(_ others: [ManagedObjectID?]) {
    for (position, id) in others.enumerated() where id != nil { set(position, to: id) }
    if ids.count < others.count { set(others.count - 1, to: nil) }
  }

  /// Names what is there as it is called now.
  func follow(_ now: (ManagedObjectID) -> ManagedObjectID) { ids = ids.map { $0.map(now) } }

  func set(_ position: Int, to id: ManagedObjectID?) {
    while ids.count <= position { ids.append(nil) }
    ids[position] = id
  }
}

/// A relationship of an object.
struct LinkPlace: Hashable {
  let owner: ManagedObjectID
  let property: Int
}

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
  /// Whether it is the record's own.
  let isOwn: Bool
  let isNew: Bool
}

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
  var removed: [Removed] = []
  /// The objects that were imported, for validation.
  var objects: [ManagedObject] = []
  /// Those of them that wait for a link.
  var waits: Set<ManagedObjectID> = []
  /// Whether it is taken back where it is refused.
  var isUndoable = false
  /// How what it has noted is forgotten, the last first.
  var steps: [Step] = []

  enum Outcome { case created, updated, unchanged, declined }

  struct Removed: Hashable {
    let id: ManagedObjectID
    /// The relationship that leads back.
    let inverse: Int
  }

  /// Something that was noted across records.
  enum Step {
    case keyed(KeyRef)
    case waits(KeyRef)
    case hasArrived(KeyRef, [Waiting])
    case stub(KeyRef)
    case linksStub(KeyRef)
    case isFilled(KeyRef, ManagedObjectID, [Waiting])
    case lapsed(LinkPlace, Int?)
  }
}

import CauldronGraph
import CauldronModel

/// What one record does beside its objects: it counts only where the record is not refused.
struct RecordUnit {
  let record: RecordDraft
  /// What became of the record's own object.
  var outcome = Outcome.unchanged
  /// What became of nested objects, by the number of their plans.
  var related: [Int: (created: Int, updated: Int)] = [:]
  /// The slots of what was created.
  var created: [Int] = []
  /// Links to objects of which nothing but the key is known.
  var stubLinks: [(key: KeyRef, link: Waiting)] = []
  /// The slots of such objects, of which more is known now.
  var filled: [Int] = []
  var waiting: [(key: KeyRef, link: Waiting)] = []
  /// Members that were taken out and are to be deleted where nobody links them.
  var removed: [Removed] = []
  /// The objects that were imported, for validation.
  var objects: [ManagedObject] = []

  enum Outcome { case created, updated, unchanged, declined }

  struct Removed: Hashable {
    let id: ManagedObjectID
    /// The relationship that leads back.
    let inverse: Int
  }
}

import CauldronGraph
import CauldronModel
import CauldronSave

/// The objects that are yet to be validated, because they wait, or have waited, for a link.
final class LateObjects {
  private let state: ImportState
  private var late: [ManagedObjectID: LateObject] = [:]
  /// Those of the record under way, which count only where it is not refused.
  @exclusivity(unchecked) private var pending: [LateObject] = []
  /// Those that were refused at the end.
  private(set) var refused: Set<ManagedObjectID> = []

  init(_ state: ImportState) { self.state = state }

  func beginRecord() { pending.removeAll(keepingCapacity: true) }

  func add(_ object: LateObject) { pending.append(object) }

  /// The record stays.
  func keepRecord() { for object in pending { late[object.id] = object } }

  func contains(_ id: ManagedObjectID) -> Bool { late[id] != nil }

  /// Replaces the IDs in the notes by the present ones.
  func follow(_ now: (ManagedObjectID) -> ManagedObjectID) {
    late = Dictionary(
      late.values.map { object in
        var object = object
        object.id = now(object.id)
        return (object.id, object)
      }
    ) { first, _ in first }
  }

  /// Whether all imported objects can be saved: one that still lacks a required link holds this up.
  func mayCommit() throws -> Bool {
    try late = late.filter { _, object in
      let object = state.context.object(with: object.id)
      return try object.isThereForImport && state.context.importProblem(of: [object]) != nil
    }
    return late.isEmpty
  }

  /// Refuses objects that still lack a required value at the end, and objects that require one of these.
  func refuse() throws {
    var open = late.values.sorted { $0.record.number < $1.record.number }
    late = [:]
    while !open.isEmpty {
      var next: [LateObject] = []
      for object in open {
        let live = state.context.object(with: object.id)
        guard live.isThereForImport, let problem = try state.context.importProblem(of: [live])
        else {
          continue
        }
        let others = try dependents(of: live, object)
        refuse(live, as: object, because: problem)
        next += others
      }
      state.context.processPendingChanges()
      open = next
    }
  }

  /// The objects that must lead to an object.
  private func dependents(
    of object: ManagedObject, _ late: LateObject
  ) throws -> [LateObject] {
    var all: [LateObject] = []
    for property in object.layout.properties {
      guard let destination = property.destination else { continue }
      let inverse = destination.entity.properties[destination.inverse]
      guard inverse.kind == .toOne, inverse.isRequired else { continue }
      let others =
        property.kind == .toMany
        ? try object.readDestinations(property.index)
        : object.destination(property.index).map { [$0] } ?? []
      for other in others where other.isThereForImport {
        all.append(
          LateObject(
            id: other.objectID, record: late.record, path: late.path, isOwn: false,
            isNew: other.isInserted))
      }
    }
    return all
  }

  private func refuse(_ live: ManagedObject, as object: LateObject, because problem: CauldronError)
  {
    refused.insert(live.objectID)
    if live.isInserted { live.delete() } else { state.context.refresh(live, mergeChanges: false) }
    if object.isOwn {
      state.report.refused += 1
      if object.isNew {
        state.report.created -= 1
      } else {
        state.report.updated = max(0, state.report.updated - 1)
      }
    } else if object.isNew {
      state.report.related[live.layout.name]?.created -= 1
    }
    state.report.note(
      object.record.place.problem(
        at: object.path, problem.code, problem.message.trimmed, object.isOwn ? .refused : .leftOut))
  }
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

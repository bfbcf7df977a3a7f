import Cauldron
import CauldronModel
import Foundation

/// Opens a damaged store, changes it and saves; and looks whether that is true.
struct StoreEditing {
  private let meeting: StoreMeeting
  /// What new objects are told by.
  private static let mark = 77_000_000

  init(_ meeting: StoreMeeting) { self.meeting = meeting }

  private var url: URL { meeting.work.url }

  /// What was saved, by the URIs of objects.
  private struct Saved {
    var numbers: [URL: Int] = [:]
    var deleted: Set<URL> = []
  }

  /// - Parameter reopens: Whether a second program saves, after the first one has.
  func run(reopens: Bool) throws -> MeetingVerdict {
    var saved: Saved
    do { saved = try edit(1) } catch { return afterFailure(error) }
    if reopens {
      let second = try edit(2)
      saved.numbers.merge(second.numbers) { $1 }
      saved.deleted.formUnion(second.deleted)
      for id in saved.deleted { saved.numbers[id] = nil }
    }
    guard let lie = contradiction(to: saved) else {
      return meeting.newFinding().map { MeetingVerdict(.lie, "saved: \($0)") }
        ?? MeetingVerdict(.answered)
    }
    return meeting.verdict(of: lie)
  }

  /// Nothing of a save that has failed is there, but for keys that were taken, and for what opening
  /// the store has made.
  private func afterFailure(_ error: any Error) -> MeetingVerdict {
    let verdict = MeetingVerdict(error)
    if verdict.kind.isFinding { return verdict }
    let apart = Set(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "sqlite_stat1"])
    let moving = StoreMoving(meeting)
    guard let change = moving.difference(leavingOut: apart, opens: true) else { return verdict }
    return MeetingVerdict(.changed, "\(change); \(verdict.detail)")
  }

  private func edit(_ round: Int) throws -> Saved {
    let stack = try StoreAccess.open(url, meeting.model)
    var isOpen = true
    defer { if isOpen { try? stack.close() } }
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let work = try context.performAndWait { try change($0, round) }
    try context.saveAndWait(toPersistentStore: true)
    let saved = context.performAndWait { _ in
      var saved = Saved()
      for (object, number) in work.changed {
        saved.numbers[object.objectID.uriRepresentation] = number
      }
      for id in work.deleted { saved.deleted.insert(id) }
      return saved
    }
    isOpen = false
    try stack.close()
    return saved
  }

  private struct Work {
    var changed: [(ManagedObject, Int)] = []
    var deleted: Set<URL> = []
  }

  /// Makes, changes and deletes some objects of each entity.
  private func change(_ context: LocalContext, _ round: Int) throws -> Work {
    var work = Work()
    var number = Self.mark * round
    for entity in meeting.model.entities where !entity.isAbstract {
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      request.limit = 4
      let found = try context.fetch(request)
      for (position, object) in found.enumerated() {
        number += 1
        // A book that is deleted is as good as one that is changed; an author takes books along.
        if position == 3, ["Thing", "Book", "Cat"].contains(entity.name) {
          work.deleted.insert(object.objectID.uriRepresentation)
          context.delete(object)
        } else {
          try object.setValue(number, forKey: "number")
          work.changed.append((object, number))
        }
      }
      guard entity.name != "Book" else { continue }
      number += 1
      let object = try context.insertNewObject(forEntityName: entity.name)
      try object.setValue(number, forKey: "number")
      work.changed.append((object, number))
      try link(object, entity.name, in: context)
    }
    return work
  }

  private func link(_ object: ManagedObject, _ entity: String, in context: LocalContext) throws {
    switch entity {
    case "Tag":
      let books = try context.fetch(FetchRequest<ManagedObject>(entityName: "Book"))
      try object.setValue(Array(books.prefix(2)), forKey: "books")
    case "Cat", "Dog":
      let owners = try context.fetch(FetchRequest<ManagedObject>(entityName: "Owner"))
      try object.setValue(owners.first, forKey: "owner")
    default: break
    }
  }

  /// What a new stack shows otherwise; nil where all is as it was saved.
  private func contradiction(to saved: Saved) -> String? {
    do {
      let stack = try StoreAccess.open(url, meeting.model) { $0.readOnly = true }
      defer { try? stack.close() }
      let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
      return try context.performAndWait { context in
        var seen: [URL: Int] = [:]
        for entity in meeting.model.entities where entity.superentity == nil {
          for object in try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name)) {
            seen[object.objectID.uriRepresentation] = object.value(forKey: "number") as? Int
          }
        }
        for (id, number) in saved.numbers where seen[id] != number {
          return "\(id.path) is \(seen[id].map { "\($0)" } ?? "not there"), saved was \(number)"
        }
        for id in saved.deleted where seen[id] != nil { return "\(id.path) was deleted" }
        return nil
      }
    } catch {
      return "after a save: \(error)"
    }
  }
}

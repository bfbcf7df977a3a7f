import Cauldron
import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation

/// Meets a damaged store as something else than one's own: as what a store has become while it was open, as
/// a seed, and as the file that a model is taken from.
struct StoreLiving {
  private let meeting: StoreMeeting

  init(_ meeting: StoreMeeting) { self.meeting = meeting }

  private var work: StoreFiles { meeting.work }

  /// Looks through it with the program's model.
  func verify() throws -> MeetingVerdict {
    var options = SQLiteStoreOptions()
    options.readOnly = true
    options.migration = nil
    let store = try SQLiteStore.open(
      url: work.url, model: meeting.model, storeNumber: 1, options: options)
    defer { try? store.close() }
    return MeetingVerdict(.answered, "\(try store.verify().count) findings")
  }

  /// Opens the good store, which becomes the damaged one then, and goes on.
  func beneath() throws -> MeetingVerdict {
    work.remove()
    try meeting.good.copy(to: work)
    let stack = try StoreAccess.open(work.url, meeting.model)
    defer { try? stack.close() }
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    try context.performAndWait { context in
      for entity in meeting.model.entities {
        _ = try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name)).prefix(3).map {
          $0.value(forKey: "number")
        }
      }
    }
    try overwrite()
    var refusal: (any Error)?
    for entity in meeting.model.entities where !entity.isAbstract {
      do {
        try context.performAndWait { try use(entity.name, $0) }
        try context.saveAndWait(toPersistentStore: true)
      } catch {
        refusal = refusal is CauldronError || refusal == nil ? error : refusal
        context.performAndWait { _ in context.rollback() }
      }
    }
    if let refusal { throw refusal }
    return MeetingVerdict(.answered)
  }

  /// Writes the damaged bytes into the file that is open.
  private func overwrite() throws {
    let handle = try FileHandle(forWritingTo: work.url)
    defer { try? handle.close() }
    let bytes = meeting.damaged.bytes()
    try handle.truncate(atOffset: UInt64(bytes.count))
    try handle.write(contentsOf: Data(bytes))
  }

  private func use(_ entity: String, _ context: LocalContext) throws {
    let objects = try context.fetch(FetchRequest<ManagedObject>(entityName: entity))
    for (position, object) in objects.enumerated() {
      try object.setValue(1_000 + position, forKey: "number")
    }
    let links: [String] =
      switch entity {
      case "Thing": []
      case "Owner": ["pets"]
      case "Author", "Tag": ["books"]
      case "Book": ["author", "tags"]
      default: ["owner", "parent", "young"]
      }
    for object in objects.prefix(5) { for name in links { _ = object.value(forKey: name) } }
    if entity != "Author", let last = objects.last { context.delete(last) }
    guard entity != "Book" else { return }
    try context.insertNewObject(forEntityName: entity).setValue(999, forKey: "number")
  }

  /// Makes a new store of it.
  func seed() throws -> MeetingVerdict {
    let store = StoreFiles(
      work.url.deletingLastPathComponent().appending(path: "planted.sqlite"))
    defer { store.remove() }
    let before = work.state
    let result = Result {
      try StoreAccess.open(store.url, meeting.next) {
        $0.seedURL = work.url
        $0.migration = .automatic(discarding: meeting.sample.species.discards)
      }.close()
    }
    if let change = before.change(to: work.state, mayOpen: true) {
      return MeetingVerdict(.changed, "the seed: \(change)")
    }
    try result.get()
    return MeetingVerdict(.answered)
  }

  /// Brings a good store over to its model.
  func origin() throws -> MeetingVerdict {
    let store = StoreFiles(
      work.url.deletingLastPathComponent().appending(path: "other.sqlite"))
    defer { store.remove() }
    try meeting.good.copy(to: store)
    let model = try ModelOrigin(work.url).model()
    let migration = OutsideMigration(
      store.url, to: model, discarding: Set(meeting.model.entities.map(\.name)))
    _ = try migration.forecast()
    _ = try migration.run()
    return MeetingVerdict(.answered)
  }
}

import Cauldron
import CauldronModel
import Foundation
import TestSupport

/// An object that tells of every hook, and does in it what a test wants.
@Entity class Creature: ManagedObject {
  var name: String = "new"
  var count: Int = 7
  @Relationship(inverse: "owner", deleteRule: .cascade) var pets: ToMany<Creature>
  @Relationship(inverse: "pets") var owner: Creature?
  @Relationship(inverse: "fans") var friends: ToMany<Creature>
  @Relationship(inverse: "friends") var fans: ToMany<Creature>
  @Transient var mark: String = "none"

  override func awakeFromInsert() { tell("awakeFromInsert") }
  override func awakeFromFetch() { tell("awakeFromFetch") }
  override func awakeFromSnapshotEvents(_ flags: SnapshotEventType) {
    tell("awakeFromSnapshotEvents \(flags.rawValue)")
  }
  override func willSave() { tell("willSave") }
  override func didSave() { tell("didSave") }
  override func prepareForDeletion() { tell("prepareForDeletion") }
  override func willTurnIntoFault() { tell("willTurnIntoFault") }
  override func didTurnIntoFault() { tell("didTurnIntoFault") }
  override func validateForInsert() throws { tell("validateForInsert") }
  override func validateForUpdate() throws { tell("validateForUpdate") }
  override func validateForDelete() throws { tell("validateForDelete") }

  private func tell(_ hook: String) {
    // A deleted object that was saved has no context any more.
    let context = managedObjectContext
    let store = objectID.uriRepresentation.host() ?? ""
    let tale = Tale.of(store)
    tale.add((context.map { "\($0.name): " } ?? "") + hook)
    // Only the first word, without what the hook was told.
    tale.script(String(hook.prefix { $0 != " " }))?(self)
  }
}

/// What the objects of a store have told, line by line.
final class Tale: @unchecked Sendable {
  // `@unchecked Sendable` because a test uses one context at a time.
  private var lines: [String] = []
  private var scripts: [String: (Creature) -> Void] = [:]
  private static let all = Locked<[String: Tale]>([:])

  /// The tale of a store with an identifier.
  static func of(_ store: String) -> Tale {
    all.withLock { tales in
      if let tale = tales[store] { return tale }
      let tale = Tale()
      tales[store] = tale
      return tale
    }
  }

  func add(_ line: String) { lines.append(line) }

  func script(_ hook: String) -> ((Creature) -> Void)? { scripts[hook] }

  /// Has a hook do something.
  func on(_ hook: String, _ run: @escaping (Creature) -> Void) { scripts[hook] = run }

  /// What was told since this was asked last.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Has the tale tell what a context posts.
  func listen(to context: ManagedObjectContext) -> [any NSObjectProtocol] {
    let names: [(Notification.Name, String)] = [
      (ManagedObjectContext.didChangeObjectsNotification, "objectsDidChange"),
      (ManagedObjectContext.willSaveObjectsNotification, "willSave note"),
      (ManagedObjectContext.didSaveObjectsNotification, "didSave note"),
      (ManagedObjectContext.didSaveObjectIDsNotification, "didSaveObjectIDs note"),
      (ManagedObjectContext.didMergeChangesObjectIDsNotification, "didMergeObjectIDs note"),
    ]
    return names.map { name, text in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
        let info = $0.userInfo ?? [:]
        let keys: [String] = ["inserted", "updated", "deleted", "refreshed"]
        let parts = keys.filter { (info[$0] as? LazyObjects)?.objectIDs.ids.isEmpty == false }
        self.add("\(context.name): \(([text] + parts).joined(separator: " "))")
      }
    }
  }
}

extension Creature {
  static func bench(_ kind: StoreKind = .file) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Creature.self))
  }

  /// A new object.
  @discardableResult
  static func named(_ name: String, in context: ManagedObjectContext) -> Creature {
    let creature = create(in: context)
    creature.name = name
    return creature
  }
}

extension Bench {
  var tale: Tale { Tale.of(stack.coordinator.storeIdentifier) }

  /// Objects that are in the store, of which nobody has told.
  func creatures(_ names: String...) throws -> [ManagedObjectID] {
    let maker = committed()
    let ids = names.map { Creature.named($0, in: maker).objectID }
    try maker.save()
    _ = tale.take()
    return ids
  }
}

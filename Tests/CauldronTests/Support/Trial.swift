import Cauldron
import CauldronModel
import TestSupport

/// An object whose hooks a test writes.
@Entity final class Trial: ManagedObject {
  var name: String = ""
  @Attribute(.range(0...9)) var size: Int = 0
  @Relationship(inverse: "owner", deleteRule: .cascade) var parts: ToMany<Trial>
  @Relationship(inverse: "parts") var owner: Trial?
  @Relationship(inverse: "leader") var followers: ToMany<Trial>
  @Relationship(inverse: "followers") var leader: Trial?
  @Transient var script: Script? = nil

  /// What a hook does; it is told which one runs, or which property is asked about.
  struct Script {
    let run: (Trial, String) throws -> Void
  }

  /// What a hook refuses with.
  static let refusal = CauldronError(.validationFailed, "This trial is refused.")

  /// Has the hooks of this object do something.
  func on(_ hooks: String..., run: @escaping (Trial) throws -> Void) {
    script = Script { if hooks.contains($1) { try run($0) } }
  }

  override func validate(_ value: Any?, for property: String) throws {
    try script?.run(self, property)
  }

  override func validateForInsert() throws { try script?.run(self, "insert") }
  override func validateForUpdate() throws { try script?.run(self, "update") }
  override func validateForDelete() throws { try script?.run(self, "delete") }
  override func willSave() { try? script?.run(self, "willSave") }
  override func didSave() { try? script?.run(self, "didSave") }

  static func bench(_ kind: StoreKind = .memory) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Trial.self))
  }

  /// A new object that is saved.
  static func saved(_ name: String, in context: ManagedObjectContext) throws -> Trial {
    let trial = create(in: context)
    trial.name = name
    try context.saveAndWait(toPersistentStore: true)
    return trial
  }
}

/// Keeps what hooks have seen.
final class Diary {
  var entries: [String] = []
  var errors: [CauldronError] = []

  func note(_ error: any Error) {
    if let error = error as? CauldronError { errors.append(error) }
  }
}

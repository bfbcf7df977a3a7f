import Cauldron
import TestSupport

/// Notes what it is told, in its transient properties.
@Entity final class Witness: ManagedObject {
  var name: String = "unnamed"
  var count: Int = 7
  /// How many saves it was told of, where it counts them: a change that it makes in `willSave`.
  var saves: Int?
  @Transient var calls: [String] = []

  override func awakeFromInsert() { calls.append("awake \(name) \(count)") }

  override func willSave() {
    calls.append("willSave")
    if let saves, calls.count(where: { $0 == "willSave" }) == 1 { self.saves = saves + 1 }
  }

  override func didSave() { calls.append("didSave") }

  override func prepareForDeletion() { calls.append("prepare") }

  static func bench(
    _ kind: StoreKind = .memory, _ adapt: (inout StackConfiguration) -> Void = { _ in }
  ) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Witness.self), adapt)
  }

  @discardableResult
  static func named(_ name: String, in context: ManagedObjectContext) -> Witness {
    let witness = create(in: context)
    witness.name = name
    return witness
  }
}

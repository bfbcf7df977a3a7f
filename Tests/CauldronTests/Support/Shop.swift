import Cauldron
import Foundation

/// Goods with numbers of all kinds.
@Entity final class Good: ManagedObject {
  enum State: Int, Sendable {
    case fresh = 1
    case sold
  }
  var name: String = ""
  var code: String?
  var note: String?
  var level: Int16 = 0
  var height: Int32 = 0
  var ratio: Float = 0
  var count: Int = 0
  var other: Int = 1
  var third: Int = 1
  var price: Double = 0
  var weight: Double?
  var cost: Decimal = 0
  var day: Date?
  var length: Duration = Duration.zero
  var isOld: Bool = false
  var isRare: Bool?
  var status: State = State.fresh
  @Relationship(inverse: \Rack.goods) var rack: Rack?
}

@Entity final class Rack: ManagedObject {
  var name: String = ""
  var note: String?
  var weight: Double = 0
  var cost: Decimal = 0
  var length: Duration = Duration.zero
  @Relationship var goods: ToMany<Good>
}

/// Saved objects, and two contexts: one without changes, and one in which all objects have some.
struct Shop {
  let contexts: [ManagedObjectContext]
  private let bench: Bench

  init(_ kind: StoreKind, _ fill: (ManagedObjectContext) -> Void) throws {
    bench = try Bench(kind, model: Self.model())
    let context = bench.child()
    fill(context)
    try context.saveAndWait(toPersistentStore: true)
    let changed = bench.child("Changed")
    for good in try Good.findAll(in: changed) { good.note = "changed" }
    for rack in try Rack.findAll(in: changed) { rack.note = "changed" }
    contexts = [bench.child("Reader"), changed]
  }

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [Good._describeEntity(), Rack._describeEntity()])
  }
}

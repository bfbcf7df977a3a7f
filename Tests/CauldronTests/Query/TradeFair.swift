import Cauldron
import CauldronModel
import Foundation
import TestSupport

/// Workers and firms that are changed at random in one context, and the same as plain values.
struct TradeFair {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func fill(_ context: ManagedObjectContext, _ count: Int) throws {
    for _ in 0..<count { try insert(context) }
  }

  /// Inserts, changes and deletes a few objects of every entity.
  mutating func change(_ context: ManagedObjectContext, _ count: Int) throws {
    for _ in 0..<count {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: try insert(context)
      case 1: try remove(context)
      default: try turn(context)
      }
    }
  }

  private mutating func insert(_ context: ManagedObjectContext) throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try set(Firm.create(in: context))
    case 1: try set(Skill.create(in: context))
    case 2: try set(Desk.create(in: context), context)
    case 3: try set(Chief.create(in: context), context)
    default: try set(Worker.create(in: context), context)
    }
  }

  private mutating func remove(_ context: ManagedObjectContext) throws {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: try one(Firm.self, context)?.delete()
    case 1: try one(Skill.self, context)?.delete()
    case 2: try one(Desk.self, context)?.delete()
    default: try one(Worker.self, context)?.delete()
    }
  }

  private mutating func turn(_ context: ManagedObjectContext) throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: if let firm = try one(Firm.self, context) { try set(firm) }
    case 1: if let skill = try one(Skill.self, context) { try set(skill) }
    case 2: if let desk = try one(Desk.self, context) { try set(desk, context) }
    default: if let worker = try one(Worker.self, context) { try set(worker, context) }
    }
  }

  private mutating func one<Object: ManagedEntity>(
    _ type: Object.Type, _ context: ManagedObjectContext
  ) throws -> Object? {
    let all = try Object.findAll(in: context).sorted { $0.objectID.key < $1.objectID.key }
    return all.isEmpty ? nil : random.pick(all)
  }

  private mutating func set(_ firm: Firm) throws {
    firm.name = text()
    firm.rating = real()
    firm.size = Int.random(in: -2..<4, using: &random)
  }

  private mutating func set(_ skill: Skill) throws {
    skill.name = text()
    skill.level = Int.random(in: -2..<4, using: &random)
  }

  private mutating func set(_ desk: Desk, _ context: ManagedObjectContext) throws {
    desk.number = Int.random(in: 0..<4, using: &random)
    desk.owner = random.once(in: 3) ? nil : try one(Worker.self, context)
  }

  private mutating func set(_ worker: Worker, _ context: ManagedObjectContext) throws {
    worker.name = text()
    worker.age = random.once(in: 4) ? nil : Int(random.pick(RandomQueries.integers))
    worker.pay = real()
    worker.balance =
      random.once(in: 3) ? nil : Decimal(string: random.pick(["0", "1.5", "-3", "1000"]))
    worker.isActive = random.once(in: 2)
    worker.born =
      random.once(in: 3)
      ? nil : Date(timeIntervalSinceReferenceDate: random.pick([-1.5, 0, 5, 60]))
    worker.photo = random.once(in: 2) ? nil : random.pick([Data(), Data([0, 1])])
    worker.size = Int.random(in: -2..<4, using: &random)
    (worker as? Chief)?.level = Int.random(in: 0..<4, using: &random)
    if random.once(in: 2) {
      worker.employer = random.once(in: 4) ? nil : try one(Firm.self, context)
    }
    if random.once(in: 3) {
      worker.mentor = random.once(in: 4) ? nil : try one(Worker.self, context)
    }
    if random.once(in: 2), let skill = try one(Skill.self, context) {
      if random.once(in: 3) { worker.skills.remove(skill) } else { worker.skills.insert(skill) }
    }
  }

  private mutating func text() -> String? {
    random.once(in: 4) ? nil : random.pick(RandomQueries.texts)
  }

  private mutating func real() -> Double? {
    random.once(in: 4) ? nil : random.pick(RandomQueries.reals)
  }

  /// Everything that a context sees, read from its objects.
  static func world(_ context: ManagedObjectContext) throws -> [OracleRow] {
    try Worker.findAll(in: context).map(row) + Firm.findAll(in: context).map(row)
      + Skill.findAll(in: context).map(row) + Desk.findAll(in: context).map(row)
  }

  private static func row(_ worker: Worker) -> OracleRow {
    var values: [String: AttributeScalar] = [
      "name": worker.name.scalar, "age": worker.age.scalar, "pay": worker.pay.scalar,
      "balance": worker.balance.scalar, "isActive": worker.isActive.scalar,
      "born": worker.born.scalar, "photo": worker.photo.scalar, "size": worker.size.scalar,
      "employer": key(worker.employer), "mentor": key(worker.mentor), "desk": key(worker.desk),
    ]
    if let chief = worker as? Chief { values["level"] = chief.level.scalar }
    return OracleRow(
      key: worker.objectID.key, entity: worker.objectID.entityName, values: values,
      links: ["skills": Set(worker.skills.map(\.objectID.key))])
  }

  private static func row(_ firm: Firm) -> OracleRow {
    OracleRow(
      key: firm.objectID.key, entity: "Firm",
      values: [
        "name": firm.name.scalar, "rating": firm.rating.scalar, "size": firm.size.scalar,
      ])
  }

  private static func row(_ skill: Skill) -> OracleRow {
    OracleRow(
      key: skill.objectID.key, entity: "Skill",
      values: ["name": skill.name.scalar, "level": skill.level.scalar],
      links: ["workers": Set(skill.workers.map(\.objectID.key))])
  }

  private static func row(_ desk: Desk) -> OracleRow {
    OracleRow(
      key: desk.objectID.key, entity: "Desk",
      values: ["number": desk.number.scalar, "owner": key(desk.owner)])
  }

  private static func key(_ object: ManagedObject?) -> AttributeScalar {
    object.map { .integer($0.objectID.key) } ?? .null
  }
}

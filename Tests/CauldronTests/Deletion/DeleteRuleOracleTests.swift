import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Thousands of random operations, compared with the oracle after every event.
@Suite(.againstHanging) struct DeleteRuleOracleTests {
  private static let names = ["nullify", "cascade", "deny", "noAction"]

  private static func model() throws -> ManagedObjectModel {
    var properties: [PropertyDescription] = [
      .attribute(AttributeDescription(name: "number", type: .integer64))
    ]
    for (name, rule) in zip(names, DeleteRuleOracle.rules) {
      let below = RelationshipDescription(
        name: "\(name)Below", destination: "Node", inverse: "\(name)Above", isToMany: true,
        deleteRule: rule)
      let above = RelationshipDescription(
        name: "\(name)Above", destination: "Node", inverse: "\(name)Below", isToMany: false)
      properties += [.relationship(below), .relationship(above)]
    }
    return try ManagedObjectModel(entities: [
      EntityDescription(name: "Node", properties: properties),
      EntityDescription(name: "Leaf", superentity: "Node", properties: []),
    ])
  }

  /// The contexts, the oracle, and which object is which.
  private struct Run {
    let bench: Bench
    var context: ManagedObjectContext
    var oracle = DeleteRuleOracle()
    var random: SeededGenerator
    var ids: [Int: ManagedObjectID] = [:]
    var numbers: [ManagedObjectID: Int] = [:]

    init(_ kind: StoreKind, seed: UInt64) throws {
      bench = try Bench(kind, model: DeleteRuleOracleTests.model())
      context = bench.child()
      random = SeededGenerator(seed: seed)
    }

    func object(_ number: Int) throws -> ManagedObject {
      try context.existingObject(with: #require(ids[number]))
    }

    mutating func step(_ step: Int) throws {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6: try create(step)
      case 6..<13: try link()
      case 13..<15: try delete()
      case 15..<18: try endEvent()
      case 18: try save()
      default:
        if random.once(in: 3) { try rollback() } else { try moveOn() }
      }
    }

    mutating func create(_ number: Int) throws {
      guard oracle.living.count < 60 else { return try delete() }
      let object = try context.insertNewObject(
        forEntityName: random.once(in: 3) ? "Leaf" : "Node")
      try object.setValue(number, forKey: "number")
      oracle.create(number)
      ids[number] = object.objectID
      numbers[object.objectID] = number
    }

    mutating func link() throws {
      let living = oracle.living
      guard living.count > 1 else { return }
      let (number, rule) = (random.pick(living), random.pick([0, 1, 1, 2, 3]))
      let other = random.once(in: 4) ? nil : random.pick(living)
      try object(number).setValue(
        try other.map { try object($0) }, forKey: "\(names[rule])Above")
      oracle.put(number, below: other, rule)
    }

    mutating func delete() throws {
      let living = oracle.living
      guard !living.isEmpty else { return }
      let number = random.pick(living)
      try object(number).delete()
      oracle.delete(number)
    }

    mutating func endEvent() throws {
      context.processPendingChanges()
      oracle.endEvent()
      try compare()
    }

    mutating func save() throws {
      try endEvent()
      guard oracle.isDenied else {
        try context.saveAndWait(toPersistentStore: true)
        oracle.save()
        return try compare()
      }
      let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
      #expect([.validationDenied, .validationMultiple].contains(error?.code), Trace.comment)
      try compare()
      if random.once(in: 2) { try rollback() }
    }

    mutating func rollback() throws {
      context.rollback()
      oracle.rollback()
      try compare()
    }

    /// Goes on in a context that has seen nothing.
    mutating func moveOn() throws {
      try save()
      if context.hasChanges { try rollback() }
      context = bench.child()
      try compare()
    }

    func compare() throws {
      let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Node"))
      #expect(found.compactMap { numbers[$0.objectID] }.sorted() == oracle.living, Trace.comment)
      for object in found {
        guard let number = numbers[object.objectID] else { continue }
        for (rule, name) in names.enumerated() {
          let above = object.one("\(name)Above").flatMap { numbers[$0.objectID] }
          #expect(above == oracle.objects[number]?.above[rule], "\(name) \(Trace.comment)")
          let below = object.value(forKey: "\(name)Below") as? [ManagedObject] ?? []
          #expect(
            Set(below.compactMap { numbers[$0.objectID] }) == oracle.below(number, rule),
            "\(name) \(Trace.comment)")
        }
      }
    }

    private var names: [String] { DeleteRuleOracleTests.names }
  }

  @Test(arguments: StoreKind.allCases, [UInt64(1), 2, 3])
  func `random operations end as the rules say`(_ kind: StoreKind, _ seed: UInt64) throws {
    var run = try Run(kind, seed: seed)
    try withEvery("seed", in: [seed]) { _ in
      try withEvery("step", in: 0..<800) { step in try run.step(step) }
    }
  }
}

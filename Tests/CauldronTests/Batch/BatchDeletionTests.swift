import Cauldron
import CauldronModel
import TestSupport
import Testing

@Suite struct BatchDeletionTests {
  @Test(arguments: StoreKind.allCases)
  func `references to what is deleted are cleared`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    let acme = Company.named("Acme", in: context)
    for age in 1...3 { Person.named("p\(age)", age: age, at: acme, in: context) }
    let passport = Passport.create(in: context)
    try #require(try Person.findFirst(\.age, 1, in: context)).passport = passport
    try context.saveAndWait(toPersistentStore: true)
    let summary = try ObjectQuery<Company>().batchDelete(returningIDs: true, in: context)
    #expect(summary.deleted == 1 && summary.updated == 3)
    #expect(summary.objectIDs == [acme.objectID])
    #expect(try Person.where(\.age == 1).batchDelete(in: context).updated == 1)
    let other = bench.committed()
    let people = try Person.findAll(in: other)
    #expect(people.count == 2 && people.allSatisfy { $0.employer == nil })
    #expect(try Passport.findAll(in: other).first?.holder == nil)
    #expect(acme.isDeleted)
    #expect(try bench.stack.coordinator.store.verify().isEmpty)
  }

  @Test(arguments: StoreKind.allCases, Guild.all(.nullify, .cascade))
  func `links go with their ends`(_ kind: StoreKind, _ guild: Guild) throws {
    let bench = try Bench(kind, model: guild.model())
    let context = bench.child()
    try Guild.found(in: context)
    try context.saveAndWait(toPersistentStore: true)
    var request = FetchRequest<ManagedObject>(entityName: "Club")
    request.predicate = .comparison(key: "name", .equal, .text("y"))
    let summary = try context.batchDelete(request)
    let isCascade = guild.rule == .cascade
    #expect(summary.deleted == (isCascade ? 3 : 1) && summary.links >= 2)
    let other = bench.committed()
    #expect(try other.players("x") == (isCascade ? ["a"] : ["a", "b"]))
    #expect(try other.all("Player").count == (isCascade ? 1 : 3))
    if let links = bench.links { #expect(links == (isCascade ? 1 : 2)) }
    #expect(try bench.stack.coordinator.store.verify().isEmpty)
  }

  @Test(arguments: StoreKind.allCases, Guild.all(.deny))
  func `one denial refuses all`(_ kind: StoreKind, _ guild: Guild) throws {
    let bench = try Bench(kind, model: guild.model())
    let context = bench.child()
    try Guild.found(in: context)
    _ = try context.new("Club", "empty")
    try context.saveAndWait(toPersistentStore: true)
    let request = FetchRequest<ManagedObject>(entityName: "Club")
    let error = cauldronError { try context.batchDelete(request) }
    #expect(error?.code == .validationMultiple && error?.details.count == 2)
    #expect(error?.details.first?.code == .validationDenied)
    #expect(try bench.committed().all("Club").count == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `a batch leaves what deleting and saving leaves`(_ kind: StoreKind) throws {
    for seed in 0..<12 {
      let batch = try family(kind, seed: UInt64(seed))
      let saved = try family(kind, seed: UInt64(seed))
      let least = Int64(seed % 5) * 6
      var request = FetchRequest<ManagedObject>(entityName: "Node")
      request.predicate = .comparison(key: "number", .greaterOrEqual, .integer(least))
      let context = saved.child()
      let byBatch = Result { try batch.child().batchDelete(request) }
      let bySave = Result {
        context.delete(try context.fetch(request))
        try context.saveAndWait(toPersistentStore: true)
      }
      #expect(byBatch.code == bySave.code)
      #expect(try contents(batch) == contents(saved))
      #expect(
        try batch.stack.coordinator.store.verify().count
          == saved.stack.coordinator.store.verify().count)
    }
  }

  private static let names = ["nullify", "cascade", "deny", "noAction"]

  private func family(_ kind: StoreKind, seed: UInt64) throws -> Bench {
    var properties: [PropertyDescription] = [
      .attribute(AttributeDescription(name: "number", type: .integer64))
    ]
    for (name, rule) in zip(Self.names, DeleteRuleOracle.rules) {
      let below = RelationshipDescription(
        name: "\(name)Below", destination: "Node", inverse: "\(name)Above", isToMany: true,
        deleteRule: rule)
      let above = RelationshipDescription(
        name: "\(name)Above", destination: "Node", inverse: "\(name)Below", isToMany: false)
      properties += [.relationship(below), .relationship(above)]
    }
    let model = try ManagedObjectModel(entities: [
      EntityDescription(name: "Node", properties: properties),
      EntityDescription(name: "Leaf", superentity: "Node", properties: []),
    ])
    let bench = try Bench(kind, model: model)
    let context = bench.child()
    var random = SeededGenerator(seed: seed)
    var nodes: [ManagedObject] = []
    for number in 0..<30 {
      let node = try context.insertNewObject(forEntityName: number % 3 == 0 ? "Leaf" : "Node")
      try node.setValue(number, forKey: "number")
      for name in Self.names where name != "deny" || random.once(in: 12) {
        if random.once(in: 2), let above = nodes.randomElement(using: &random) {
          try node.setValue(above, forKey: "\(name)Above")
        }
      }
      nodes.append(node)
    }
    try context.saveAndWait(toPersistentStore: true)
    return bench
  }

  /// All objects with the numbers of those above them.
  private func contents(_ bench: Bench) throws -> [[Int64?]] {
    let context = bench.committed()
    var request = ValueRequest(FetchRequest<ManagedObject>(entityName: "Node"))
    request.columns =
      [.property("number")] + Self.names.map { .property(.init("\($0)Above.number")) }
    return try context.fetchValues(request).map { line in
      line.map { if case .integer(let number) = $0 { number } else { nil } }
    }
  }
}

extension Result {
  fileprivate var code: CauldronError.Code? {
    if case .failure(let error as CauldronError) = self { error.code } else { nil }
  }
}

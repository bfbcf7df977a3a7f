import CauldronModel
import TestSupport
import Testing

@Suite("Models that no store could keep")
struct ModelCheckTests {
  private func error(_ entities: EntityDescription...) -> CauldronError? {
    let error = #expect(throws: CauldronError.self) { try ManagedObjectModel(entities: entities) }
    #expect(error?.code == .modelInvalid)
    return error
  }

  private func entity(
    _ name: String, _ attributes: [String], _ constraints: [[String]] = []
  ) -> EntityDescription {
    EntityDescription(
      name: name, properties: attributes.map { TestModels.attribute($0, .string) },
      uniquenessConstraints: constraints)
  }

  @Test("A constraint that is there twice")
  func twice() {
    #expect(
      error(entity("A", ["x", "y"], [["x", "y"], ["x", "y"]]))?.message
        == "Cannot build the model: A: the uniqueness constraint (x, y) is there twice.")
  }

  @Test("More superentities than a copy of the model is read with")
  func depth() throws {
    func line(_ count: Int) -> [EntityDescription] {
      (0..<count).map { number in
        EntityDescription(
          name: "E\(number)", superentity: number == 0 ? nil : "E\(number - 1)",
          properties: [TestModels.attribute("a\(number)", .string)])
      }
    }
    _ = try ManagedObjectModel(entities: line(101))
    let error = #expect(throws: CauldronError.self) { try ManagedObjectModel(entities: line(150)) }
    #expect(error?.message == "Cannot build the model: E101 has more than 100 superentities.")
  }

  @Test("Constraints whose indexes would have one name")
  func collision() {
    #expect(
      error(entity("A", ["x", "y_z", "x_y", "z"], [["x", "y_z"], ["x_y", "z"]]))?.message
        == "Cannot build the model: the uniqueness constraint (x, y_z) of A and the uniqueness"
        + " constraint (x_y, z) of A would both be named Z_A_UNIQUE_x_y_z.")
    let capitals = error(entity("A", ["x", "X"], [["x"], ["X"]]))
    #expect(capitals?.message.contains("would both be named Z_A_UNIQUE_X.") == true)
  }

  @Test("A constraint that names a property twice, or none")
  func strange() {
    let error = error(entity("A", ["x"], [["x", "x"], []]))
    #expect(
      error?.details.map(\.message) == [
        "Cannot build the model: A: the uniqueness constraint (x, x) names a property twice.",
        "Cannot build the model: A: a uniqueness constraint names no property.",
      ])
  }

  @Test("Indexes of nothing, of what has no column, and of one name")
  func indexes() {
    var strange = entity("A", ["x", "y"], [["x"]])
    strange.indexes = [
      IndexDescription(properties: []), IndexDescription(properties: ["x", "x"]),
      IndexDescription(properties: ["z"]), IndexDescription(name: "byX", properties: ["y"]),
      IndexDescription(properties: ["x"]), IndexDescription(name: "UNIQUE_x", properties: ["x"]),
      IndexDescription(name: "", properties: ["x"]),
    ]
    #expect(
      error(strange)?.details.map { String($0.message.dropFirst(24)) } == [
        "A: the index \"by\" names no property.", "A: the index (x, x) names a property twice.",
        "A: an index names \"z\", which is no stored property.",
        "the index (y) of A and the index (x) of A would both be named Z_A_byX.",
        "the uniqueness constraint (x) of A and the index (x) of A would both be named"
          + " Z_A_UNIQUE_x.", "A: an index has no name.",
      ])
  }

  @Test("Indexes do not enter the version hash")
  func indexHash() throws {
    var indexed = entity("A", ["x"])
    let plain = try ManagedObjectModel(entities: [indexed])
    indexed.indexes = [IndexDescription(properties: ["x"])]
    let model = try ManagedObjectModel(entities: [indexed])
    #expect(model.entityVersionHashesByName == plain.entityVersionHashesByName)
    #expect(model.entities[0].indexes.map(\.name) == ["byX"])
  }

  @Test("Everything is found at once")
  func atOnce() throws {
    let found = error(
      entity("A\0", ["x"], [["x"], ["x"], ["missing"]]), entity("B", ["\0", ""]),
      entity("C", (0..<1_998).map { "a\($0)" }))
    let error = try #require(found)
    #expect(error.details.count == 6)
    #expect(error.message.hasPrefix("Cannot build the model: 6 problems: "))
    for part in [
      #"an entity is named "A\0", with a NUL in it"#, "(x) is there twice", "\"missing\"",
      #"B: a property is named "\0", with a NUL in it"#, "B: a property has no name",
      "C: its table would have 2001 columns, subentities included; at most 2000 are possible",
    ] {
      #expect(error.message.contains(part), "\(part)")
    }
    #expect(!error.message.utf8.contains(0))
  }

  @Test("Columns of subentities count, and 2,000 are possible")
  func columns() throws {
    let parent = entity("A", (0..<1_000).map { "a\($0)" })
    var child = entity("B", (0..<997).map { "b\($0)" })
    child.superentity = "A"
    #expect(throws: Never.self) { try ManagedObjectModel(entities: [parent, child]) }
    child.properties.append(TestModels.attribute("last", .string))
    #expect(error(parent, child)?.message.contains("A: its table would have 2001 columns") == true)
  }

  @Test("Counts that no number has, or that contradict the kind of relationship")
  func counts() {
    func model(_ change: (inout RelationshipDescription) -> Void) -> CauldronError? {
      var bs = RelationshipDescription(
        name: "bs", destination: "B", inverse: "a", isToMany: true)
      change(&bs)
      return error(
        EntityDescription(name: "A", properties: [.relationship(bs)]),
        EntityDescription(name: "B", properties: [TestModels.toOne("a", "A", inverse: "bs")]))
    }
    #expect(
      model { $0.maxCount = 1 }?.message
        == "Cannot build the model: A.bs: a to-many relationship cannot have maxCount 1.")
    for (least, most) in [(-1, 0), (0, -2), (5, 3)] {
      let error = model { ($0.minCount, $0.maxCount) = (least, most) }
      #expect(error?.message.contains("from minCount \(least) to maxCount \(most)") == true)
    }
  }

  @Test("Counts enter the version hash")
  func hashes() throws {
    func hash(_ change: (inout RelationshipDescription) -> Void) throws -> [UInt8]? {
      var a = RelationshipDescription(name: "a", destination: "A", inverse: "bs", isToMany: false)
      change(&a)
      let model = try ManagedObjectModel(entities: [
        EntityDescription(name: "A", properties: [TestModels.toMany("bs", "B", inverse: "a")]),
        EntityDescription(name: "B", properties: [.relationship(a)]),
      ])
      return model.entityVersionHashesByName["B"]
    }
    #expect(try hash { _ in } != hash { $0.minCount = 1 })
    #expect(try hash { _ in } == hash { $0.maxCount = 1 })
  }
}

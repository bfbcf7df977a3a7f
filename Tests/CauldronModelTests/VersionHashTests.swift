import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite("Version hashes")
struct VersionHashTests {
  private static let name = PropertyDescription.attribute(
    AttributeDescription(name: "name", type: .string, isOptional: false))
  private static let petName = TestModels.attribute("petName", .string)

  @Test("A lone entity has the hash and checksum that Core Data stores")
  func user() throws {
    let model = try ManagedObjectModel(
      entities: [EntityDescription(name: "User", properties: [Self.name, Self.petName])])
    let hash = try #require(model.entityVersionHashesByName["User"])
    #expect(hash.hex == "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798")
    #expect(
      Data(SHA2.sha256(hash)).base64EncodedString()
        == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
  }

  @Test("Relationships enter the hash with the inverse that only the other side names")
  func pet() throws {
    let user = EntityDescription(
      name: "User",
      properties: [Self.name, Self.petName, TestModels.toOne("pet", "Pet", inverse: "owner")])
    let pet = EntityDescription(
      name: "Pet", properties: [Self.name, TestModels.toOne("owner", "User")])
    let hashes = try ManagedObjectModel(entities: [user, pet]).entityVersionHashesByName
    #expect(
      hashes["User"]?.hex == "6a47cbef0e3f84c2449249fdc83f003d7e514378f8ee9a76a8d4c0ec8bb1b822")
    #expect(
      hashes["Pet"]?.hex == "767342262a6458730c78aae73c5328d0fcaa4e3596d2f87f22e366eb46a9f46f")
  }

  @Test("Delete rules, defaults, transient properties and declaration order do not change a hash")
  func ignored() throws {
    let plain = EntityDescription(name: "A", properties: [Self.name, Self.petName])
    let other = EntityDescription(
      name: "A",
      properties: [
        .attribute(AttributeDescription(name: "t", type: .date, isTransient: true)),
        .attribute(
          AttributeDescription(name: "petName", type: .string, default: .constant(.text("x")))),
        Self.name,
      ])
    let hashes = try [plain, other].map {
      try ManagedObjectModel(entities: [$0]).entityVersionHashesByName["A"]
    }
    #expect(hashes[0] == hashes[1])
  }

  @Test(
    "A delete rule changes no hash",
    arguments: [RelationshipDescription.DeleteRule.noAction, .cascade, .deny])
  func deleteRules(_ rule: RelationshipDescription.DeleteRule) throws {
    func hashes(_ rule: RelationshipDescription.DeleteRule) throws -> [String: [UInt8]] {
      let pets = RelationshipDescription(
        name: "pets", destination: "Pet", inverse: "owner", isToMany: true, deleteRule: rule)
      return try ManagedObjectModel(entities: [
        EntityDescription(name: "Owner", properties: [.relationship(pets)]),
        EntityDescription(name: "Pet", properties: [TestModels.toOne("owner", "Owner")]),
      ]).entityVersionHashesByName
    }
    #expect(try hashes(rule) == hashes(.nullify))
    #expect(RelationshipDescription.DeleteRule.allCases.map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test("Each of these details changes the hash")
  func details() throws {
    let variants = [
      AttributeDescription(name: "a", type: .string),
      AttributeDescription(name: "a", type: .uri),
      AttributeDescription(name: "a", type: .string, isOptional: false),
      AttributeDescription(name: "a", type: .string, allowsExternalBinaryDataStorage: true),
      AttributeDescription(name: "a", type: .string, versionHashModifier: "2"),
    ]
    var entities = variants.map { EntityDescription(name: "A", properties: [.attribute($0)]) }
    entities.append(EntityDescription(name: "A", isAbstract: true, properties: [Self.name]))
    entities.append(EntityDescription(name: "A", properties: [Self.name]))
    entities.append(
      EntityDescription(name: "A", properties: [Self.name], uniquenessConstraints: [["name"]]))
    let hashes = try entities.map {
      try ManagedObjectModel(entities: [$0]).entityVersionHashesByName["A"]
    }
    #expect(Set(hashes).count == entities.count)
  }
}

extension [UInt8] {
  /// The bytes in hexadecimal digits.
  var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

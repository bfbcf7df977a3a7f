import Cauldron
import Foundation
import TestSupport
import Testing

/// Records that say which entity they are of.
@Suite(.againstHanging) struct ChosenEntityTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Vehicle", isAbstract: true,
        properties: [
          .attribute(AttributeDescription(name: "plate", type: .string)),
          .relationship(
            RelationshipDescription(
              name: "garage", destination: "Garage", inverse: "vehicles", isToMany: false)),
        ], uniquenessConstraints: [["plate"]]),
      EntityDescription(
        name: "Auto", superentity: "Vehicle",
        properties: [.attribute(AttributeDescription(name: "seats", type: .integer64))]),
      EntityDescription(
        name: "Lorry", superentity: "Vehicle",
        properties: [.attribute(AttributeDescription(name: "tons", type: .integer64))]),
      EntityDescription(
        name: "Garage",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string)),
          .relationship(
            RelationshipDescription(
              name: "vehicles", destination: "Vehicle", inverse: "garage", isToMany: true)),
        ], uniquenessConstraints: [["name"]]),
    ])
  }

  private func load(
    _ json: String, as name: String, _ entities: ImportEntities?, onto before: String? = nil
  ) async throws -> (ImportReport, [String]) {
    let stack = try Stack(storeURL: nil, model: try Self.model())
    let options = ImportOptions(mappings: ["Vehicle": ImportMapping(entities: entities)])
    if let before {
      try await stack.importJSON(Data(before.utf8), asEntityNamed: name, options: options)
    }
    let report = try await stack.importJSON(
      Data(json.utf8), asEntityNamed: name, options: options)
    let vehicles = try await stack.save { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Vehicle")).map { vehicle in
        let (plate, name) = (vehicle.value(forKey: "plate") ?? "-", vehicle.entity.name)
        let more = vehicle.value(forKey: name == "Auto" ? "seats" : "tons") ?? "-"
        return "\(name) \(plate) \(more)"
      }.sorted()
    }
    return (report, vehicles)
  }

  @Test func `a field of the record says which entity it is of`() async throws {
    let json = #"""
      [{"kind": "car", "plate": "a", "seats": 4}, {"kind": 2, "plate": "b", "tons": 7, "seats": 1},
       {"kind": "boat", "plate": "c"}, {"plate": "d"}, {"kind": null, "plate": "e"}]
      """#
    let kinds = ImportEntities(by: "kind", ["car": "Auto", "2": "Lorry"])
    let (report, vehicles) = try await load(json, as: "Vehicle", kinds)
    #expect(vehicles == ["Auto a 4", "Lorry b 7"])
    #expect(
      report.problems.map(\.description) == [
        #"/2/kind: "boat" names no kind of Vehicle"#,
        #"/3: nothing says which Vehicle it is: "kind" is missing"#,
        #"/4: nothing says which Vehicle it is: "kind" is missing"#,
      ])
    let (again, same) = try await load(json, as: "Vehicle", kinds, onto: json)
    #expect(same == vehicles && again.unchanged == 2)
    let (other, kept) = try await load(
      #"[{"kind": "car", "plate": "b"}]"#, as: "Vehicle", kinds, onto: json)
    #expect(kept == vehicles && other.refused == 1)
  }

  @Test func `nested records say it, too, and a key alone creates nothing`() async throws {
    let json = #"""
      [{"name": "x", "vehicles": [{"type": {"name": "Auto"}, "plate": "a", "seats": 2},
        {"type": {"name": "Lorry"}, "plate": "b", "tons": 3}, "c", "a"]}]
      """#
    let (report, vehicles) = try await load(json, as: "Garage", ImportEntities(by: "type.name"))
    #expect(vehicles == ["Auto a 2", "Lorry b 3"])
    #expect(report.created == 1 && report.problems.map(\.consequence) == [.leftOut])
  }

  @Test func `what cannot be meant is told before anything is read`() async throws {
    for (kinds, says) in [
      (ImportEntities(by: "kind", ["a": "Car"]), "\"Car\" is no entity of Vehicle"),
      (nil, "is abstract"),
    ] {
      do {
        _ = try await load("[]", as: "Vehicle", kinds)
        Issue.record("was taken")
      } catch let error as CauldronError {
        #expect(error.code == .importPlan && error.message.contains(says), "\(error)")
      }
    }
  }
}

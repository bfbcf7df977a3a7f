import Cauldron
import Foundation
import Testing

@Entity final class Ware: ManagedObject {
  struct Size: Codable, Sendable, Equatable {
    var width: Int
    var made: Date?
  }

  @Attribute(.unique) var id: Int
  var price: Double?
  var stock: Int = 5
  @Attribute(empty: .setDefault) var rank: Int = 3
  @Attribute(empty: .setNil) var name: String?
  var note: String?
  var size: Size?
  @Attribute(from: "/meta/v1.0", "meta.weight") var weight: Int = 0
  @Relationship(inverse: \Brand.wares) var brand: Brand?
}
@Entity final class Brand: ManagedObject {
  @Attribute(.unique) var code: String
  @Relationship var wares: ToMany<Ware>
}

/// Texts that stand for nothing, as tables that became JSON have them; and values within values.
@Suite struct EmptyTextTests {
  private func load(
    _ json: String, _ options: ImportOptions = ImportOptions(), twice: String? = nil
  ) async throws -> (ImportReport, [String]) {
    let stack = try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [Ware._describeEntity(), Brand._describeEntity()]))
    if let twice { _ = try await stack.importJSON(Data(twice.utf8), as: Ware.self) }
    let report = try await stack.importJSON(Data(json.utf8), as: Ware.self, options: options)
    let wares = try await stack.save { context in
      try Ware.findAll(sortedBy: \.id, in: context).map { ware in
        "\(ware.id) \(ware.price ?? -1) \(ware.stock) \(ware.rank) \(ware.name ?? "-")"
          + " \(ware.note ?? "-") \(ware.brand?.code ?? "-") \(ware.weight)"
      }
    }
    return (report, wares)
  }

  @Test(arguments: [ImportMode.strict, .lenient])
  func `an empty text is no number where the options say so, and a text stays one`(
    _ mode: ImportMode
  ) async throws {
    let json = #"""
      [{"id": 1, "price": "", "stock": " \t", "rank": "", "name": "", "note": "", "brand": ""},
       {"id": "", "price": 1}]
      """#
    let before =
      #"[{"id": 1, "price": 2, "stock": 9, "rank": 9, "name": "a", "note": "b", "brand": "c"}]"#
    let (kept, first) = try await load(json, .init(mode: mode, empty: .keep), twice: before)
    #expect(first == ["1 2.0 9 3 -  c 0"])
    #expect(
      kept.problems.map(\.description).count == 1 && kept.problems[0].code == .importMissingKey)
    #expect(kept.problems[0].reason.contains("\"id\" is empty"))
    let (_, second) = try await load(json, .init(mode: mode, empty: .setDefault), twice: before)
    #expect(second == ["1 -1.0 5 3 -  - 0"])
    let (nothing, third) = try await load(json, .init(mode: mode), twice: before)
    #expect(third == ["1 2.0 9 9 a b c 0"] && nothing.refused == 2)
  }

  @Test func `what is required is refused by name, and a mapping says it for one import`()
    async throws
  {
    let (report, wares) = try await load(#"[{"id": 1, "stock": ""}]"#, .init(empty: .setNil))
    #expect(wares.isEmpty && report.refused == 1)
    let mapping = ImportMapping(
      attributes: ["note": AttributeImport(empty: .setNil)],
      relationships: ["brand": RelationshipImport(empty: .keep)])
    let (_, mapped) = try await load(
      #"[{"id": 1, "note": "", "brand": ""}]"#, .init(mappings: ["Ware": mapping]),
      twice: #"[{"id": 1, "note": "b", "brand": "c"}]"#)
    #expect(mapped == ["1 -1.0 5 3 - - c 0"])
  }

  @Test func `an export refuses what would not come back`() async throws {
    let stack = try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [Ware._describeEntity(), Brand._describeEntity()]))
    try await stack.save { context in
      let ware = Ware.create(in: context)
      (ware.id, ware.note) = (1, "")
      let text = try ware.exportJSON(depth: 1)
      #expect(text.contains(#""note":"""#))
      ware.name = " "
      #expect(throws: CauldronError.self) { _ = try ware.exportJSON(depth: 1) }
    }
  }

  @Test func `a pointer leads to names with points`() async throws {
    let (_, wares) = try await load(
      #"[{"id": 1, "meta": {"v1.0": 4}}, {"id": 2, "meta": {"weight": 5}}, {"id": 3, "/meta/v1.0": 6}]"#
    )
    #expect(wares.map { $0.suffix(1) } == ["4", "5", "6"])
  }

  @Test func `dates within values are read, and a value that cannot be is told why`() async throws {
    let json = #"""
      [{"id": 1, "size": {"width": 3, "made": "2026-11-24T08:00:00Z"}}, {"id": 2, "size": {"width": "x"}},
       {"id": 3, "size": []}, {"id": 4, "size": {"width": 1, "made": "soon"}}, {"id": 5, "size": {}}]
      """#
    let stack = try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [Ware._describeEntity(), Brand._describeEntity()]))
    let report = try await stack.importJSON(Data(json.utf8), as: Ware.self)
    let sizes = try await stack.save { try Ware.findAll(in: $0).map(\.size) }
    let date = Date(timeIntervalSince1970: 1_795_507_200)
    #expect(sizes == [Ware.Size(width: 3, made: date)])
    let again = try await stack.importJSON(Data(json.utf8), as: Ware.self)
    #expect(again.unchanged == 1)
    let reasons = report.problems.map(\.reason)
    #expect(reasons.count == 4)
    #expect(reasons[0].hasSuffix("cannot be decoded: there is no Int at /width"), "\(reasons)")
    #expect(reasons[3].hasSuffix("cannot be decoded: \"width\" is missing"), "\(reasons)")
  }
}

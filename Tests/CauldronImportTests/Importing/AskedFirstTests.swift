import Cauldron
import Foundation
import Testing

@Entity(isAbstract: true) class Pupil: ManagedObject {
  @Attribute(.unique) var name: String
  @Attribute(.range(0...20)) var age: Int = 0
  @Relationship(inverse: \SchoolDesk.pupils, match: \SchoolDesk.number, unknown: .refuse) var desk:
    SchoolDesk?
}
@Entity final class BoyPupil: Pupil {
  override func shouldImport(_ source: ImportSource) throws -> Bool {
    source["type"]?.string == "Boy" && name == source["name"]?.string
  }
}
@Entity final class GirlPupil: Pupil {
  var room: String
  override func shouldImport(_ source: ImportSource) throws -> Bool {
    source["type"]?.string == "Girl" && name == source["name"]?.string
  }
}
@Entity final class SchoolDesk: ManagedObject {
  @Attribute(.unique) var number: Int
  @Relationship var pupils: ToMany<Pupil>
}

/// `shouldImport(_:)` is asked before anything refuses the record.
@Suite struct AskedFirstTests {
  private func stack() throws -> Stack {
    try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [
        Pupil._describeEntity(), BoyPupil._describeEntity(), GirlPupil._describeEntity(),
        SchoolDesk._describeEntity(),
      ]))
  }

  private func names(_ stack: Stack) async throws -> [String] {
    try await stack.save { context in
      try Pupil.findAll(sortedBy: \.name, in: context).map { "\($0.name) \($0.entity.name)" }
    }
  }

  @Test func `records of another entity decline, and end no import`() async throws {
    let stack = try stack()
    let data = Data(
      #"[{"name": "Blake", "type": "Boy"}, {"name": "Sarah", "type": "Girl", "room": "a"}]"#.utf8)
    let options = ImportOptions(stopsAtFirst: true)
    for round in 1...3 {
      let boys = try await stack.importJSON(data, as: BoyPupil.self, options: options)
      let girls = try await stack.importJSON(data, as: GirlPupil.self, options: options)
      #expect(boys.declined == 1 && boys.refused == 0 && boys.created == (round == 1 ? 1 : 0))
      #expect(girls.declined == 1 && girls.refused == 0 && girls.created == (round == 1 ? 1 : 0))
      #expect(try await names(stack) == ["Blake BoyPupil", "Sarah GirlPupil"])
    }
  }

  @Test func `what would refuse a record is not looked at where it declines`() async throws {
    let stack = try stack()
    let report = try await stack.importJSON(
      Data(
        #"""
        [{"name": "a", "type": "Boy"}, {"name": "b", "type": "Boy", "age": 99},
         {"name": "c", "type": "Boy", "desk": 7}, {"name": "d", "type": "Girl", "room": "x"}]
        """#.utf8), as: GirlPupil.self)
    #expect(report.declined == 3 && report.refused == 0 && report.created == 1)
    #expect(try await names(stack) == ["d GirlPupil"])
  }

  @Test func `values that cannot be read refuse no record that declines`() async throws {
    let stack = try stack()
    let unreadable = [
      #""age": "old""#, #""age": {"years": 3}"#, #""age": 1, "age": 2"#, #""desk": [1, 2]"#,
      #""desk": {"number": "x"}"#, #""desk": {"number": null}"#,
    ]
    for part in unreadable {
      let report = try await stack.importJSON(
        Data(
          #"""
          [{"name": "a", "type": "Boy", \#(part)}, {"name": "b", "type": "Girl", "room": "x", \#(part)},
           {"name": "c", "type": "Girl", "room": "x"}]
          """#.utf8), as: GirlPupil.self)
      #expect(report.declined == 1 && report.refused == 1, "\(part)")
      #expect(report.problems.map(\.record) == [1], "\(part)")
      #expect(report.problems.first?.pointer.hasPrefix("/1/") == true, "\(part)")
    }
    #expect(try await names(stack) == ["c GirlPupil"])
  }

  @Test func `what does not decline is refused as before, and leaves nothing`() async throws {
    let stack = try stack()
    _ = try await stack.importJSON(Data(#"[{"name": "a", "type": "Boy"}]"#.utf8), as: BoyPupil.self)
    let report = try await stack.importJSON(
      Data(
        #"""
        [{"name": "a", "type": "Girl", "room": "x"}, {"name": "b", "type": "Girl"},
         {"name": "c", "type": "Girl", "room": "x", "age": 99},
         {"name": "d", "type": "Girl", "room": "x", "desk": 7}, {"name": "e", "type": "Girl", "room": "x"}]
        """#.utf8), as: GirlPupil.self)
    #expect(
      report.problems.map(\.description)
        == [
          ": the object with this key is a BoyPupil and no GirlPupil",
          ": GirlPupil.room is required, and the record has none",
          "/2/age: GirlPupil.age must be at most 20", "/3/desk: nothing has SchoolDesk.number 7",
        ].enumerated().map { $0 < 2 ? "/\($0)\($1)" : $1 })
    #expect(report.created == 1 && report.declined == 0)
    #expect(try await names(stack) == ["a BoyPupil", "e GirlPupil"])
  }
}

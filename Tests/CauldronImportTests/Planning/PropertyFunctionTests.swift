import Cauldron
import Testing

/// Functions of a class that import one property.
@Suite struct PropertyFunctionTests {
  @Test func `they take values of the property's type, whatever that is`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Told.self, ToldMore.self))
    let report = try await hangar.load(
      Told.self,
      json: #"[{"id": 1, "color": "red", "size": 2, "address": {"city": "x"}, "tags": ["a", "b"]}]"#
    )
    #expect(report.created == 1, "\(report)")
    let read = try await hangar.only(Told.self) {
      [$0.calls, "\($0.size)", $0.address?.city ?? "-"]
    }
    #expect(read == ["color(red) size(large) address(x) tags(2) ", "large", "x"])
  }

  @Test func `null reaches who takes it, and nobody else`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Told.self, ToldMore.self))
    let report = try await hangar.load(
      Told.self, json: #"[{"id": 1, "color": null, "address": null, "name": null}]"#)
    #expect(report.created == 1, "\(report)")
    #expect(try await hangar.only(Told.self) { $0.calls } == "color(nil) address(nil) name(nil) ")
  }

  @Test func `whether at all comes before how`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Told.self, ToldMore.self))
    try await hangar.load(Told.self, json: #"[{"id": 1, "name": "no"}, {"id": 1, "name": "yes"}]"#)
    #expect(try await hangar.only(Told.self) { $0.calls } == "name(yes) ")
  }

  @Test func `subclasses have them for their own properties, and others beside`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Told.self, ToldMore.self))
    let report = try await hangar.load(
      ToldMore.self, json: #"[{"id": 1, "file": "f", "tags": [], "picture": 1, "iDs": 2}]"#)
    #expect(report.created == 1, "\(report)")
    let read = try await hangar.only(ToldMore.self) { [$0.file, $0.calls] }
    #expect(read == ["<f>", "tags(0) "])
  }
}

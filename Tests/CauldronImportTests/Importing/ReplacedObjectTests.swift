import Cauldron
import Foundation
import TestSupport
import Testing

@Entity final class Guest: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: \GuestAddress.guest, members: .replaceAndDelete) var address: GuestAddress?
  @Relationship(inverse: \GuestPhoto.guest, members: .replaceAndDelete) var photo: GuestPhoto?
}
@Entity final class GuestAddress: ManagedObject {
  var city: String = ""
  @Relationship(.required) var guest: Guest?
}
@Entity final class GuestPhoto: ManagedObject {
  var file: String = ""
  @Relationship var guest: Guest?
}

/// Objects without a key that a to-one relationship leads to.
@Suite(.againstHanging) struct ReplacedObjectTests {
  private func load(_ texts: String...) async throws -> (ImportReport?, [String]) {
    let stack = try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [
        Guest._describeEntity(), GuestAddress._describeEntity(), GuestPhoto._describeEntity(),
      ]))
    var report: ImportReport?
    for text in texts { report = try await stack.importJSON(Data(text.utf8), as: Guest.self) }
    let found = try await stack.save { context in
      let addresses = try GuestAddress.findAll(sortedBy: \.city, in: context)
      let photos = try GuestPhoto.findAll(sortedBy: \.file, in: context)
      return addresses.map { "\($0.city) of \($0.guest?.id ?? -1)" }
        + photos.map { "\($0.file) of \($0.guest?.id ?? -1)" }
    }
    return (report, found)
  }

  @Test func `what another object replaces is deleted, also where it must lead back`() async throws
  {
    let (report, found) = try await load(
      #"[{"id": 1, "address": {"city": "a"}, "photo": {"file": "p"}}, {"id": 2, "address": {"city": "b"}}]"#,
      #"[{"id": 1, "address": {"city": "c"}, "photo": {"file": "q"}}, {"id": 2, "address": null}]"#)
    #expect(found == ["c of 1", "q of 1"])
    #expect(report?.deleted == 3 && report?.refused == 0)
  }

  @Test func `an owner that is listed twice keeps its last one`() async throws {
    let (report, found) = try await load(
      #"[{"id": 1, "address": {"city": "a"}}, {"id": 1, "address": {"city": "b"}}, {"id": 1, "address": null}]"#
    )
    #expect(found.isEmpty && report?.refused == 0)
  }

  @Test func `what a later record may link by its key is not deleted at once`() async throws {
    let keyed = ImportOptions(mappings: ["GuestAddress": ImportMapping(key: "city")])
    let stack = try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [
        Guest._describeEntity(), GuestAddress._describeEntity(), GuestPhoto._describeEntity(),
      ]))
    do {
      _ = try await stack.importJSON(Data("[]".utf8), as: Guest.self, options: keyed)
      Issue.record("was taken")
    } catch let error as CauldronError {
      #expect(error.code == .importPlan && error.message.contains("address"), "\(error)")
    }
  }

  @Test func `a record that is refused replaces nothing`() async throws {
    let (report, found) = try await load(
      #"[{"id": 1, "address": {"city": "a"}, "photo": {"file": "p"}}]"#,
      #"[{"id": 1, "address": {"city": "c"}, "photo": {"file": 5}}]"#)
    #expect(found == ["a of 1", "p of 1"])
    #expect(report?.deleted == 0 && report?.refused == 1)
  }
}

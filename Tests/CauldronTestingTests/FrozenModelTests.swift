import Cauldron
import CauldronTesting
import Foundation
import TestSupport
import Testing

@Suite struct FrozenModelTests {
  private func model(_ type: AttributeType) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Note",
        properties: [.attribute(AttributeDescription(name: "rank", type: type))])
    ])
  }

  @Test func `a model matches what was written of it`() throws {
    let folder = try TemporaryDirectory()
    let frozen = folder.file("Notes.xcdatamodel")
    try model(.integer16).write(to: frozen)
    #expect(try model(.integer16).matches(frozen: frozen))
  }

  @Test func `each difference is an issue of the test`() throws {
    let folder = try TemporaryDirectory()
    let frozen = folder.file("Notes.xcdatamodel")
    try model(.integer16).write(to: frozen)
    let changed = try model(.string)
    withKnownIssue {
      #expect(!changed.matches(frozen: frozen))
    } matching: { issue in
      "\(issue)".contains(
        "Note.rank is String here and Integer 16 there (there: Notes.xcdatamodel)")
    }
  }

  @Test func `a frozen model that is not there is an issue of the test`() throws {
    let model = try model(.string)
    withKnownIssue {
      #expect(!model.matches(frozen: URL(filePath: "/none/Notes.xcdatamodel")))
    } matching: { issue in
      "\(issue)".contains("there is no such file")
    }
  }
}

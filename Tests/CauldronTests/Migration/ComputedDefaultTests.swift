import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Defaults that are made anew for each row of a store that is brought over.
@Suite struct ComputedDefaultTests {
  @Test func `a made text keeps all its bytes, and made data that are empty are no nil`() throws {
    func attribute(
      _ name: String, _ type: AttributeType, _ value: AttributeScalar
    ) -> PropertyDescription {
      .attribute(
        AttributeDescription(
          name: name, type: type, isOptional: false, default: .computed { value }))
    }
    let text = AttributeDescription(name: "name", type: .string)
    let old = EntityDescription(name: "Note", properties: [.attribute(text)])
    let new = EntityDescription(
      name: "Note",
      properties: [
        .attribute(text), attribute("cut", .string, .text("ab\0cd")),
        attribute("none", .string, .text("")), attribute("empty", .binary, .blob(Data())),
        attribute("bytes", .binary, .blob(Data([0, 1, 0]))),
      ])
    let store = try DayTwo()
    try store.open([old]) { _ = try $0.insertNewObject(forEntityName: "Note") }
    try store.open([new]) { context in
      let notes = try context.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
      let note = try #require(notes.first)
      #expect(note.value(forKey: "cut") as? String == "ab\0cd")
      #expect(note.value(forKey: "none") as? String == "")
      #expect(note.value(forKey: "empty") as? Data == Data())
      #expect(note.value(forKey: "bytes") as? Data == Data([0, 1, 0]))
      try note.setValue("edited", forKey: "name")
    }
  }
}

import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("A stack that only reads")
struct ReadOnlyStackTests {
  private static func stack(_ url: URL, readOnly: Bool) throws -> Stack {
    var configuration = StackConfiguration()
    configuration.mainQueue = DispatchQueue(label: "test.main")
    configuration.readOnly = readOnly
    return try Stack(storeURL: url, model: try Office.model(), configuration: configuration)
  }

  @Test("Objects are read, and a save that has something to write says why it cannot")
  func reading() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("x.sqlite")
    let writer = try Self.stack(url, readOnly: false)
    let first = ManagedObjectContext(.private, parent: writer.rootSavingContext)
    first.performAndWait { _ in _ = Person.named("jack", in: first) }
    try first.saveAndWait(toPersistentStore: true)
    try writer.close()
    let stack = try Self.stack(url, readOnly: true)
    let child = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    try child.performAndWait { _ in
      let jack = try #require(try Person.findAll(in: child).first)
      #expect(jack.name == "jack")
      jack.age = 5
    }
    let error = cauldronError { try child.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .storeReadOnly)
    #expect(error?.message.hasSuffix("opened with readOnly.") == true)
    try stack.close()
  }
}

import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

/// What a program sets on a context of the life of its objects.
@Suite(.againstHanging) struct FaultingSettingsTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    let maker = bench.committed()
    for number in 0..<20 { Person.named("\(number)", in: maker) }
    try maker.save()
    context = bench.child("Reader")
  }

  private func selects(_ body: () throws -> Void) rethrows -> Int {
    let before = bench.log.messages(.trace).count { $0.hasPrefix("SELECT") }
    try body()
    return bench.log.messages(.trace).count { $0.hasPrefix("SELECT") } - before
  }

  private func outside(_ statement: String) throws {
    let file = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(file.run(statement))
  }

  @Test(arguments: [false, true])
  func `a context keeps clean objects that nobody holds, if it is told to`(_ keeps: Bool) throws {
    #expect(!context.retainsRegisteredObjects)
    context.retainsRegisteredObjects = keeps
    let count = try context.performAndWait { try Person.findAll(in: $0).count }
    #expect(count == 20)
    for _ in 0..<3 { context.performAndWait { _ in } }
    context.performAndWait {
      #expect($0.context.registeredObjects.count == (keeps ? 20 : 0))
    }
    context.retainsRegisteredObjects = false
    for _ in 0..<3 { context.performAndWait { _ in } }
    context.performAndWait { #expect($0.context.registeredObjects.isEmpty) }
  }

  @Test(arguments: [(-1.0, "old"), (0, "new"), (3600, "new")])
  func `a fault reads a row anew that is older than the staleness interval`(
    _ interval: TimeInterval, _ expected: String
  ) throws {
    #expect(context.stalenessInterval == -1)
    let maker = bench.committed()
    let person = try #require(try Person.findFirst(\.name, "7", in: maker))
    person.name = "old"
    try maker.save()
    let id = person.objectID
    let reader = bench.child("Other")
    #expect(try reader.existingObject(with: id).value(forKey: "name") as? String == "old")
    try outside("UPDATE ZPERSON SET ZNAME = 'new', Z_OPT = Z_OPT + 1 WHERE ZNAME = 'old'")
    context.stalenessInterval = interval
    let fault = try #require(context.object(with: id) as? Person)
    #expect(fault.isFault && fault.name == expected)
  }

  @Test func `within the interval the cached row serves again`() throws {
    let id = try #require(try Person.findFirst(\.name, "7", in: bench.committed())).objectID
    context.stalenessInterval = 3600
    let fault = try #require(context.object(with: id) as? Person)
    #expect(fault.name == "7")
    let file = try #require(bench.stack.coordinator.storeURL)
    #expect(OtherConnection(file).run("UPDATE ZPERSON SET ZNAME = 'x' WHERE ZNAME = '7'"))
    let other = bench.child("Other")
    other.stalenessInterval = 0
    #expect((other.object(with: id) as? Person)?.name == "x")
  }

  @Test(arguments: [true, false])
  func `a fault without a row is deleted, or an error, as the context says`(
    _ deletes: Bool
  ) throws {
    #expect(context.shouldDeleteInaccessibleFaults)
    context.shouldDeleteInaccessibleFaults = deletes
    let uri = try #require(try Person.findFirst(in: bench.committed())).objectID.uriRepresentation
      .deletingLastPathComponent().appending(path: "p999999")
    let id = try #require(bench.stack.coordinator.managedObjectID(forURIRepresentation: uri))
    let fault = try #require(context.object(with: id) as? Person)
    #expect(fault.name == "" && fault.isDeleted == deletes && !fault.isFault)
    #expect(cauldronError { try fault.load() }?.code == .objectNotFound)
    #expect(fault.isDeleted == deletes)
    guard !deletes else { return }
    #expect(bench.log.messages(.error).contains { $0.contains("Cannot fault Person") })
    fault.name = "x"
    #expect(cauldronError { try context.save() }?.code == .objectNotFound)
    #expect(fault.name == "x")
    context.rollback()
    #expect(!context.hasChanges)
    try context.save()
  }
}

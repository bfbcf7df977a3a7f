import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

/// What Apple's framework was seen to do with parents and children, as the list of acceptance has it under
/// 21 to 25.
@Suite(.againstHanging) struct NestingAcceptanceTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let ids: [ManagedObjectID]

  init() throws {
    bench = try Witness.bench(.file) { $0.logger.logLevel = .trace }
    parent = bench.committed()
    ids = (0..<60).map { [parent] in Witness.named("\($0)", in: parent).objectID }
    try parent.save()
  }

  private func changes(
    of context: ManagedObjectContext, _ body: () throws -> Void
  ) rethrows -> [ContextChange] {
    let all = Locked<[ContextChange]>([])
    let observation = context.observe { change in all.withLock { $0.append(change) } }
    defer { observation.cancel() }
    try body()
    return all.withLock { $0 }
  }

  @Test func `acceptance 21: a parent tells of changes at each child's save, of its own save once`()
    throws
  {
    let told = try changes(of: parent) {
      for number in 0..<3 {
        let child = bench.child("\(number)", of: parent)
        Witness.named("new \(number)", in: child)
        if number == 1 { try Witness.find(ids[0], in: child)?.delete() }
        if number == 2 { try Witness.find(ids[1], in: child)?.name = "changed" }
        try child.save()
        parent.processPendingChanges()
      }
    }
    #expect(told.map(\.kind) == [.objectsDidChange, .objectsDidChange, .objectsDidChange])
    #expect(told.map(\.inserted.count) == [1, 1, 1])
    let saved = try changes(of: parent) { try parent.save() }.filter { $0.kind == .didSave }
    #expect(saved.count == 1)
    #expect(saved.first?.inserted.count == 3)
    #expect(saved.first?.deleted == [ids[0]] && saved.first?.updated == [ids[1]])
  }

  // Apple's child tells of temporary IDs, which nobody can use afterwards.
  @Test func `acceptance 22, changed: a child tells of the IDs that its objects keep`() throws {
    let child = bench.child("Child", of: parent)
    let new = Witness.create(in: child)
    let told = try changes(of: child) { try child.save() }.filter { $0.kind == .didSave }
    #expect(told.map(\.inserted) == [[new.objectID]])
    try parent.save()
    #expect(told.map(\.inserted) == [[new.objectID]] && !new.objectID.isTemporaryID)
    #expect(try Witness.find(new.objectID, in: bench.committed()) != nil)
  }

  // Apple copies transient values to the parent. Here the levels hand values from thread to thread without
  // waiting, and nothing says of a transient value that another thread may have it.
  @Test func `acceptance 23, changed: a transient value stays in its context`() throws {
    let child = bench.child("Child", of: parent)
    let object = try #require(try Witness.find(ids[0], in: child))
    (object.name, object.calls) = ("changed", ["mine"])
    try child.save()
    parent.processPendingChanges()
    let above = try #require(try Witness.find(ids[0], in: parent))
    #expect(above.name == "changed" && !above.calls.contains("mine"))
    #expect(object.calls.first == "mine")
    child.refresh(object, mergeChanges: false)
    #expect(object.name == "changed" && object.calls == [])
  }

  @Test func `acceptance 25, the better: a child reads in batches, too`() throws {
    let child = bench.child("Child", of: bench.child("Parent", of: parent))
    var request = FetchRequest<Witness>()
    request.fetchBatchSize = 20
    let reads = {
      bench.log.messages(.trace).count { $0.hasPrefix("SELECT") && $0.contains("ZNAME") }
    }
    let before = reads()
    let all = try child.fetchBatches(request)
    #expect(all.count == 60 && reads() == before)
    _ = (0..<20).map { all[$0].name }
    #expect(reads() == before + 1)
    _ = (20..<60).map { all[$0].name }
    #expect(reads() == before + 3)
  }
}

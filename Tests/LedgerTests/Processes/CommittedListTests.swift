import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

/// What a list and objects show of the commits of another process; nobody here fetches.
@Suite(.againstHanging, .ownThread, .enabled(if: SoakProgram.isUsable, SoakProgram.skip))
struct CommittedListTests {
  private let directory: TemporaryDirectory
  private let stack: Stack
  private let list: FetchedResultsController<ManagedObject>
  /// A context beside the main one that merges.
  private let merging: ManagedObjectContext

  init() throws {
    directory = try TemporaryDirectory()
    stack = try Parcels.makeStack(directory.file("parcels.sqlite"))
    let maker = ManagedObjectContext.contextWithParent(stack.defaultContext)
    try maker.performAndWait { context throws -> Void in
      for (number, sender) in [(1, "ann"), (2, "bob"), (3, "cid")] {
        try Parcels.insert(number, sender, in: context)
      }
    }
    try maker.saveAndWait(toPersistentStore: true)
    list = FetchedResultsController(Parcels.request, in: stack.defaultContext)
    let list = list
    try stack.defaultContext.performAndWait { _ throws -> Void in try list.performFetchAndWait() }
    merging = ManagedObjectContext(.private, parent: stack.rootSavingContext, name: "Merging")
    merging.automaticallyMergesChangesFromParent = true
  }

  @Test func `a list and merging contexts have what another process commits within 100 ms`()
    throws
  {
    let other = try Committer(
      try #require(SoakProgram.url), store: directory.file("parcels.sqlite"))
    let known = list.snapshot.objectIDs
    // In milliseconds. A busy machine may hold up any single one of them.
    var delays: [String: [Double]] = [:]
    for number in 10..<15 {
      var start = try other.commit("insert \(number) bea")
      delays["insert", default: []] += try delay(since: start) { list.snapshot.count == 4 }
      let id = list.snapshot.objectID(at: 1)
      #expect(list.snapshot.objectIDs == [known[0], id, known[1], known[2]])
      let copies = try [stack.defaultContext, merging].map { try Copy(of: id, in: $0) }
      #expect(copies.map(\.sender) == ["bea", "bea"])

      start = try other.commit("update \(number) zoe")
      delays["update", default: []] += try delay(since: start) {
        list.snapshot.index(of: id) == 3 && copies.allSatisfy { $0.sender == "zoe" }
      }
      #expect(list.snapshot.objectIDs == known + [id])

      start = try other.commit("delete \(number)")
      delays["delete", default: []] += try delay(since: start) {
        list.snapshot.count == 3 && copies.allSatisfy(\.isDeleted)
      }
      #expect(list.snapshot.objectIDs == known)
    }
    for (deed, times) in delays {
      #expect(try #require(times.min()) < 100 * slack, "\(deed), in milliseconds: \(times)")
    }
    #expect(try other.end() == 0)
    try stack.close()
  }

  /// Waits until something has come by itself.
  /// - Returns: The milliseconds since the other process began to save it, in an array.
  private func delay(since start: UInt64, _ hasCome: () throws -> Bool) throws -> [Double] {
    while true {
      let passed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
      if try hasCome() { return [passed] }
      if passed > 10_000 * slack { throw NeverCame(count: list.snapshot.count) }
      usleep(500)
    }
  }

  private struct NeverCame: Error {
    /// How many objects the list has instead.
    let count: Int
  }
}

/// An object that a test holds in a context.
private struct Copy {
  private let context: ManagedObjectContext
  private let object: ManagedObject

  init(of id: ManagedObjectID, in context: ManagedObjectContext) throws {
    self.context = context
    object = try context.performAndWait { local in try local.context.existingObject(with: id) }
  }

  var sender: String? { context.performAndWait { _ in object.value(forKey: "sender") as? String } }
  var isDeleted: Bool { context.performAndWait { _ in object.isDeleted } }
}

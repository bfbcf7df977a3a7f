import Cauldron
import TestSupport
import Testing

/// What one context has fetched is shown by another one.
@Suite(.againstHanging) struct FetchedResultTests {
  private func request() -> FetchRequest<Account> {
    var request = FetchRequest<Account>()
    request.sortKeys = [SortKey("owner")]
    return request
  }

  private func fetched(
    in context: ManagedObjectContext
  ) throws -> FetchedResult<Account> {
    try context.performAndWait { try $0.fetchResult(request()) }
  }

  @Test(arguments: Kit.Place.allCases)
  func `the main context shows what a background context has fetched, in its order`(
    _ place: Kit.Place
  ) throws {
    let kit = try Kit(place)
    let ids = try kit.store("c", "a", "b")
    let result = try fetched(in: kit.child())
    #expect(result.count == 3)
    #expect(result.objectIDs == [ids[1], ids[2], ids[0]])
    try kit.onMain { main in
      let objects = main.objects(of: result)
      #expect(objects.map(\.owner) == ["a", "b", "c"])
      #expect(objects.allSatisfy { $0.managedObjectContext === main && !$0.isFault })
      // They are ordinary objects: they can be edited and saved.
      objects[0].owner = "z"
      try main.saveAndWait(toPersistentStore: true)
    }
    #expect(try kit.stored() == ["b", "c", "z"])
  }

  @Test func `an object that the context has is given as it is, with its edits`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let result = try fetched(in: kit.child())
    try kit.onMain { main in
      let account = try main.account(id)
      account.owner = "edited"
      let shown = main.objects(of: result)[0]
      #expect(shown === account)
      #expect(shown.owner == "edited")
    }
  }

  @Test func `unsaved changes that the context sees win over the rows that were read`() throws {
    let kit = try Kit()
    let ids = try kit.store("a", "b")
    let result = try fetched(in: kit.child())
    try kit.child().performAndWait { local in
      try local.context.account(ids[0]).owner = "pushed"
      local.delete(try local.context.account(ids[1]))
      try local.save()
    }
    kit.onMain { main in
      let objects = main.objects(of: result)
      #expect(objects[0].owner == "pushed")
      #expect(throws: CauldronError.self) { try objects[1].load() }
    }
  }

  @Test(arguments: Kit.Place.allCases)
  func `a row that a commit has changed since is read anew`(_ place: Kit.Place) throws {
    let kit = try Kit(place)
    let ids = try kit.store("a", "b", "c")
    let result = try fetched(in: kit.child())
    try kit.sibling().performAndWait { local in
      try local.context.account(ids[0]).owner = "changed"
      local.delete(try local.context.account(ids[1]))
      try local.save()
    }
    kit.onMain { main in
      let objects = main.objects(of: result)
      #expect(objects.count == 3)
      #expect(objects[0].owner == "changed")
      let gone = objects[1]
      #expect(gone.owner == "")
      #expect(gone.isDeleted)
      #expect(objects[2].owner == "c")
    }
  }

  @Test func `what only the fetching context has is not there for another one`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let child = kit.child()
    child.add("new")
    try child.performAndWait { try $0.context.account(id).owner = "edited" }
    let result = try fetched(in: child)
    #expect(result.count == 2)
    kit.onMain { main in
      let objects = main.objects(of: result)
      #expect(objects[0].owner == "a")
      let error = #expect(throws: CauldronError.self) { try objects[1].load() }
      #expect(error?.code == .objectNotFound)
    }
    child.performAndWait { local in
      #expect(local.objects(of: result).map(\.owner) == ["edited", "new"])
    }
  }

  @Test func `the result outlives the context that has fetched it`() throws {
    let kit = try Kit()
    try kit.store("a")
    let result = try fetched(in: kit.child())
    #expect(kit.onMain { $0.objects(of: result).map(\.owner) } == ["a"])
  }

  @Test func `a result of another stack stops with the context's name`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (kit, foreign) = (try Kit(), try Kit())
      let result = try FetchedResultTests().fetched(in: foreign.sibling())
      _ = kit.onMain { $0.objects(of: result).count }
    }
    let sentence = "A fetched result belongs to another store than context \"Default Context\"."
    #expect(
      result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?
        .contains(sentence) == true)
  }
}

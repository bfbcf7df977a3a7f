import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Deletions of a child are carried on to what its parent has done before, in one event.
@Suite(.againstHanging) struct DeletionOrderTests {
  /// What ends the event of the child.
  enum End: CaseIterable { case processing, fetch, list, event, save }

  @Test(arguments: StackLayout.allCases, End.allCases)
  func `a cascade takes along what the parent has just made`(
    _ layout: StackLayout, _ end: End
  ) throws {
    try run(.cascade, layout, end) { (main, room) throws -> Void in
      #expect(room.isDeleted)
      #expect(try main.names("Room") == [])
    }
  }

  @Test(arguments: StackLayout.allCases, End.allCases)
  func `a reference that the parent has just set is cleared`(
    _ layout: StackLayout, _ end: End
  ) throws {
    try run(.nullify, layout, end) { (main, room) throws -> Void in
      #expect(!room.isDeleted && room.one("house") == nil)
      #expect(try main.names("Room") == ["new"])
    }
  }

  private func run(
    _ rule: RelationshipDescription.DeleteRule, _ layout: StackLayout, _ end: End,
    _ check: (_ main: ManagedObjectContext, _ room: ManagedObject) throws -> Void
  ) throws {
    let bench = try Bench(.file, model: Estate(rule: rule).model()) { $0.layout = layout }
    try bench.onMain { main in
      let house = try main.new("House", "a")
      try main.saveAndWait(toPersistentStore: true)
      let sheet = ManagedObjectContext(.main, parent: main, name: "Sheet")
      let copy = house.in(sheet)
      // It is read before.
      #expect(copy.value(forKey: "name") as? String == "a")
      var room: ManagedObject?
      if end == .event {
        try sheet.performAndWait { (_) throws -> Void in
          room = try main.new("Room", "new", in: house)
          copy.delete()
        }
      } else {
        room = try main.new("Room", "new", in: house)
        copy.delete()
      }
      switch end {
      case .processing: sheet.processPendingChanges()
      case .fetch: #expect(try sheet.names("House") == [])
      case .list:
        var request = FetchRequest<ManagedObject>(entityName: "House")
        request.sortKeys = [SortKey("name")]
        let list = FetchedResultsController(request, in: sheet)
        try list.performFetchAndWait()
        #expect(list.fetchedObjects?.isEmpty == true)
      case .event, .save: break
      }
      try sheet.save()
      main.processPendingChanges()
      try check(main, try #require(room))
      try main.saveAndWait(toPersistentStore: true)
    }
    #expect(try bench.committed().names("House") == [])
  }
}

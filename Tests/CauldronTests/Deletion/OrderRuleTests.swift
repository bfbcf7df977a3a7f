import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Cascade and deny where a house keeps its rooms in an order, and what is left keeps it.
@Suite(.againstHanging) struct OrderRuleTests {
  private func bench(
    _ kind: StoreKind, _ rule: RelationshipDescription.DeleteRule
  ) throws -> Bench {
    let bench = try Bench(kind, model: Estate(rule: rule, isOrdered: true).model())
    let maker = bench.child("Maker")
    for house in ["h", "i"] {
      let rooms = try ["d", "b", "c", "a"].map { try maker.new("Room", "\(house)\($0)") }
      try maker.new("Castle", house).setValue(rooms, forKey: "rooms")
    }
    try maker.saveAndWait(toPersistentStore: true)
    return bench
  }

  private func order(_ house: String, _ context: ManagedObjectContext) throws -> [String]? {
    try context.one("House", house)?.names("rooms")
  }

  @Test(arguments: StoreKind.allCases)
  func `a cascade takes the rooms, and other houses keep their order`(_ kind: StoreKind) throws {
    let bench = try bench(kind, .cascade)
    let context = bench.child()
    // What has left the house stays, and what has come to it goes.
    let left = try #require(try context.one("Room", "hb"))
    let i = try #require(try context.one("House", "i"))
    try i.setValue([left] + i.many("rooms").dropFirst(), forKey: "rooms")
    let h = try #require(try context.one("House", "h"))
    try h.add(context.new("Room", "new"), to: "rooms")
    h.delete()
    context.processPendingChanges()
    #expect(try order("i", context) == ["hb", "ib", "ic", "ia"])
    #expect(try context.names("Room") == ["hb", "ia", "ib", "ic", "id"])
    context.rollback()
    #expect(try order("h", context) == ["hd", "hb", "hc", "ha"])
    #expect(try order("i", context) == ["id", "ib", "ic", "ia"])
    try #require(try context.one("House", "h")).delete()
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("Room") == ["ia", "ib", "ic", "id"])
    #expect(try order("i", reader) == ["id", "ib", "ic", "ia"] && reader.names("House") == ["i"])
  }

  @Test(arguments: StoreKind.allCases)
  func `what is denied keeps its order, whatever was moved before`(_ kind: StoreKind) throws {
    let bench = try bench(kind, .deny)
    let context = bench.child()
    let h = try #require(try context.one("House", "h"))
    try h.setValue(Array(h.many("rooms").reversed()), forKey: "rooms")
    h.delete()
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationDenied && error?.objectIDs.count == 4)
    #expect(try order("h", bench.committed()) == ["hd", "hb", "hc", "ha"])
    context.rollback()
    #expect(h.names("rooms") == ["hd", "hb", "hc", "ha"] && !context.hasChanges)
    for room in h.many("rooms").prefix(2) { room.delete() }
    let i = try #require(try context.one("House", "i"))
    try i.setValue(i.many("rooms") + h.many("rooms").suffix(2), forKey: "rooms")
    h.delete()
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try order("i", reader) == ["id", "ib", "ic", "ia", "hc", "ha"])
    #expect(try reader.names("House") == ["i"])
  }

  @Test(arguments: StoreKind.allCases, [RelationshipDescription.DeleteRule.cascade, .deny])
  func `a child deletes what its parent has put into an order and not saved`(
    _ kind: StoreKind, _ rule: RelationshipDescription.DeleteRule
  ) throws {
    let bench = try bench(kind, rule)
    let parent = bench.child("Parent")
    let i = try #require(try parent.one("House", "i"))
    try i.setValue([parent.new("Room", "new")] + i.many("rooms").reversed(), forKey: "rooms")
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    #expect(try order("i", child) == ["new", "ia", "ic", "ib", "id"])
    try #require(try child.one("House", "i")).delete()
    if rule == .deny {
      #expect(cauldronError { try child.save() }?.code == .validationDenied)
      for room in try child.all("Room") where room.one("house")?.isDeleted == true {
        room.delete()
      }
    }
    try child.save()
    parent.processPendingChanges()
    #expect(try parent.names("Room") == ["ha", "hb", "hc", "hd"])
    try parent.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("Room") == ["ha", "hb", "hc", "hd"] && reader.names("House") == ["h"])
  }

  @Test(
    arguments: Meeting.Level.allCases,
    [RelationshipDescription.DeleteRule.cascade, .deny, .nullify])
  func `one deletes a house and a room, another one moves and adds rooms elsewhere`(
    _ level: Meeting.Level, _ rule: RelationshipDescription.DeleteRule
  ) throws {
    for (kind, deletesFirst) in [(StoreKind.memory, true), (.file, true), (.file, false)] {
      let bench = try bench(kind, rule)
      let meeting = Meeting(level, bench)
      try delete(in: meeting.first, rule)
      let i = try #require(try meeting.second.one("House", "i"))
      let rooms = i.many("rooms")
      // The last comes first, and a new one behind it.
      try i.setValue(
        [rooms[3], meeting.second.new("Room", "new")] + rooms.prefix(3), forKey: "rooms")
      meeting.second.processPendingChanges()
      for context in deletesFirst
        ? [meeting.first, meeting.second] : [meeting.second, meeting.first]
      {
        try meeting.meet(context)
      }
      try meeting.finish()
      let reader = bench.committed()
      #expect(try order("i", reader) == ["ia", "new", "id", "ic"], "\(kind) \(deletesFirst)")
      #expect(try reader.names("House") == ["i"])
      let left = rule == .cascade ? [] : rule == .deny ? ["hd"] : ["ha", "hb", "hc", "hd"]
      #expect(try reader.names("Room") == left + ["ia", "ic", "id", "new"])
    }
  }

  /// Deletes the house h as the rule allows, and a room of i.
  private func delete(
    in context: ManagedObjectContext, _ rule: RelationshipDescription.DeleteRule
  ) throws {
    let h = try #require(try context.one("House", "h"))
    if rule == .deny {
      let rooms = h.many("rooms")
      try rooms[0].setValue(nil, forKey: "house")
      for room in rooms.dropFirst() { room.delete() }
    }
    h.delete()
    try #require(try context.one("Room", "ib")).delete()
    context.processPendingChanges()
  }
}

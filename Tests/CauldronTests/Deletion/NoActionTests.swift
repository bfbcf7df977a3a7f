import Cauldron
import TestSupport
import Testing

/// No action leaves the references as they are, leading nowhere.
@Suite(.againstHanging) struct NoActionTests {
  @Test(arguments: StoreKind.allCases, ["House", "Castle"])
  func `references stay and lead to an inaccessible object`(
    _ kind: StoreKind, _ entity: String
  ) throws {
    let bench = try Bench(kind, model: Estate(rule: .noAction).model())
    let maker = bench.child()
    let house = try maker.new(entity, "h")
    let room = try maker.new("Room", "x", in: house)
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Other")
    context.object(with: house.objectID).delete()
    context.processPendingChanges()
    #expect(try context.all("Room")[0].one("house")?.isDeleted == true)
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("House") == [])
    let left = try #require(try reader.all("Room").first)
    #expect(left.objectID == room.objectID)
    let nowhere = try #require(left.one("house"))
    #expect(nowhere.objectID == house.objectID)
    #expect(nowhere.value(forKey: "name") == nil && nowhere.isDeleted)
    try left.setValue("renamed", forKey: "name")
    try reader.save()
    #expect(try bench.committed().names("Room") == ["renamed"])
  }

  @Test func `what was never saved leaves no references`() throws {
    let bench = try Bench(.file, model: Estate(rule: .noAction).model())
    let context = bench.child()
    let house = try context.new("House", "h")
    let room = try context.new("Room", "x", in: house)
    house.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(room.one("house") == nil)
  }
}

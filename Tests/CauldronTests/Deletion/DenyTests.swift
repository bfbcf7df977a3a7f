import Cauldron
import TestSupport
import Testing

/// What a relationship denies is refused by the save, and nothing is lost.
@Suite(.againstHanging) struct DenyTests {
  private func scene(
    _ kind: StoreKind = .memory, houses: Int = 1
  ) throws -> (Bench, ManagedObjectContext) {
    let bench = try Bench(kind, model: Estate(rule: .deny).model())
    let context = bench.child()
    for number in 0..<houses {
      let house = try context.new("House", "h\(number)")
      for room in ["x", "y"] { _ = try context.new("Room", "\(room)\(number)", in: house) }
    }
    try context.saveAndWait(toPersistentStore: true)
    return (bench, context)
  }

  @Test(arguments: StoreKind.allCases)
  func `a deletion is denied as long as there are destinations`(_ kind: StoreKind) throws {
    let (bench, context) = try scene(kind)
    let house = try context.all("House")[0]
    house.delete()
    context.processPendingChanges()
    #expect(try context.all("Room").allSatisfy { $0.one("house") === house })
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationDenied && error?.objectIDs.first == house.objectID)
    #expect(error?.entity == "House" && error?.property == "rooms")
    #expect(house.isDeleted && context.hasChanges && !bench.isDirty(bench.root))
    for room in try context.all("Room") { room.delete() }
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("House") + reader.names("Room") == [])
  }

  @Test func `a rollback, or taking the destinations out, helps`() throws {
    let (bench, context) = try scene(.file)
    let house = try context.all("House")[0]
    house.delete()
    #expect(cauldronError { try context.save() }?.code == .validationDenied)
    context.rollback()
    #expect(!house.isDeleted && !context.hasChanges)
    house.delete()
    #expect(cauldronError { try context.save() }?.code == .validationDenied)
    for room in try context.all("Room") { try room.setValue(nil, forKey: "house") }
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("House") == [] && reader.names("Room") == ["x0", "y0"])
  }

  @Test(arguments: [false, true])
  func `a destination whose edits a refresh drops leads there still`(_ isInStore: Bool) throws {
    let (bench, _) = try scene()
    let context = bench.child("Child", of: bench.child("Parent"))
    let house = isInStore ? try context.all("House")[0] : try context.new("House", "new")
    let room = try isInStore ? context.all("Room")[0] : context.new("Room", "new", in: house)
    if !isInStore { try context.save() }
    house.delete()
    context.processPendingChanges()
    try room.setValue("other", forKey: "name")
    context.processPendingChanges()
    context.refresh(room, mergeChanges: false)
    #expect(room.one("house") === house)
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationDenied)
  }

  @Test func `one error lists all of them`() throws {
    let (_, context) = try scene(houses: 150)
    for house in try context.all("House") { house.delete() }
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationMultiple && error?.details.count == 100)
    #expect(error?.details.allSatisfy { $0.code == .validationDenied } == true)
    #expect(error?.message.contains("150") == true)
  }

  @Test func `each level denies: a context on the coordinator, and one that a save passes`() throws
  {
    let (bench, _) = try scene(.file)
    let context = bench.committed()
    try context.all("House")[0].delete()
    #expect(cauldronError { try context.save() }?.code == .validationDenied)
    try bench.root.performAndWait { local in try local.context.all("House")[0].delete() }
    let child = bench.child()
    _ = try child.new("House", "new")
    try child.saveAndWait(toPersistentStore: true)
    #expect(bench.isDirty(bench.root))
    #expect(try bench.committed().names("House") == ["h0", "new"])
    #expect(try bench.committed().names("Room") == ["x0", "y0"])
  }

  @Test func `what was never saved is not denied, and leaves no references`() throws {
    let bench = try Bench(model: Estate(rule: .deny).model())
    let context = bench.child()
    let house = try context.new("Castle", "h")
    let room = try context.new("Room", "x", in: house)
    context.processPendingChanges()
    house.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(room.one("house") == nil)
    #expect(try bench.committed().names("Room") == ["x"])
  }

  @Test(arguments: StoreKind.allCases)
  func `what only a child has made is not denied, and leaves no references`(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind, model: Estate(rule: .deny).model())
    let parent = bench.child("Parent")
    let child = bench.child(of: parent)
    _ = try child.new("Room", "x", in: child.new("Castle", "h"))
    try child.save()
    try parent.performAndWait { try $0.context.all("House")[0].delete() }
    #expect(try child.performAndWait { try $0.context.names("House") } == [])
    try parent.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("House") == [] && reader.names("Room") == ["x"])
    #expect(try reader.all("Room")[0].one("house") == nil)
  }

  @Test func `what a child has made and its parent has saved is denied`() throws {
    let bench = try Bench(model: Estate(rule: .deny).model())
    let parent = bench.child("Parent")
    let child = bench.child(of: parent)
    _ = try child.new("Room", "x", in: child.new("Castle", "h"))
    try child.save()
    let error = cauldronError {
      try parent.performAndWait { local in
        try local.context.save()
        try local.context.all("House")[0].delete()
        try local.context.save()
      }
    }
    #expect(error?.code == .validationDenied)
  }

  @Test func `a denied deletion stays one when others save the object`() throws {
    let bench = try Bench(model: Estate(rule: .deny).model())
    let parent = bench.child("Parent")
    let child = bench.child(of: parent)
    let house = try child.new("House", "h")
    _ = try child.new("Room", "x", in: house)
    try child.save()
    house.delete()
    child.processPendingChanges()
    let saved = Locked<ContextChange?>(nil)
    let observation = parent.observe { change in
      if change.kind == .didSave { saved.withLock { $0 = change } }
    }
    try parent.performAndWait { try $0.context.save() }
    withExtendedLifetime(observation) {}
    child.mergeChanges(fromContextDidSave: try #require(saved.withLock { $0 }))
    #expect(house.isDeleted && child.deletedObjects.contains(house))
    #expect(cauldronError { try child.save() }?.code == .validationDenied)
    child.rollback()
    #expect(!house.isDeleted)
  }
}

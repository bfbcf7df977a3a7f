import Cauldron
import CauldronModel
import TestSupport
import Testing

/// What a context's own edits leave wrong, a save of its child may have mended on top of them: what both
/// leave together is judged.
@Suite(.againstHanging) struct MendedEditTests {
  private struct Scene {
    let bench: Bench
    let parent: ManagedObjectContext
    let child: ManagedObjectContext

    /// Houses a and b, and a room x, which are in the store.
    init(_ kind: StoreKind, _ estate: Estate, in house: String?) throws {
      bench = try Bench(kind, model: estate.model())
      let maker = bench.committed()
      for name in ["a", "b"] { _ = try maker.new("House", name) }
      _ = try maker.new("Room", "x", in: house.flatMap { try maker.one("House", $0) })
      try maker.save()
      parent = bench.child("Parent")
      child = bench.child("Child", of: parent)
    }

    /// Has the room be in a house.
    func move(to house: String?, in context: ManagedObjectContext) throws {
      try context.performAndWait { local in
        let context = local.context
        let house = try house.flatMap { try context.one("House", $0) }
        try #require(try context.one("Room", "x")).setValue(house, forKey: "house")
      }
    }

    /// Deletes a house by the parent.
    func delete(_ house: String) throws {
      try parent.performAndWait { try $0.context.one("House", house)?.delete() }
    }

    /// Saves the parent, and nothing further.
    func save() throws { try parent.performAndWait { try $0.context.save() } }

    /// Moves the room to b by the child, and saves that.
    func mend() throws {
      try move(to: "b", in: child)
      try child.performAndWait { try $0.context.save() }
    }

    /// The names of the houses in the store, and that of the room's.
    func found() throws -> [String] {
      let reader = bench.committed()
      let house = try reader.one("Room", "x")?.one("house")
      return try reader.names("House") + [house?.value(forKey: "name") as? String ?? "none"]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a reference that a child has taken from a deleted object denies nothing`(
    _ kind: StoreKind
  ) throws {
    let scene = try Scene(kind, Estate(rule: .deny), in: "a")
    try scene.delete("a")
    try scene.mend()
    try scene.parent.saveAndWait(toPersistentStore: true)
    #expect(try scene.found() == ["b", "b"])
  }

  @Test(arguments: StoreKind.allCases)
  func `nor does one that the context itself had set`(_ kind: StoreKind) throws {
    let scene = try Scene(kind, Estate(rule: .deny), in: nil)
    try scene.move(to: "a", in: scene.parent)
    try scene.delete("a")
    try scene.mend()
    try scene.parent.saveAndWait(toPersistentStore: true)
    #expect(try scene.found() == ["b", "b"])
  }

  @Test func `where the child's save is refused, the deletion is denied`() throws {
    let scene = try Scene(.file, Estate(rule: .deny), in: "a")
    try scene.delete("a")
    try scene.move(to: "b", in: scene.child)
    try scene.child.performAndWait { local in
      try local.context.one("Room", "x")?.setValue("x!", forKey: "name")
      try local.context.save()
    }
    let url = try #require(scene.bench.stack.coordinator.storeURL)
    #expect(OtherConnection(url).run("UPDATE ZROOM SET ZNAME = 'x?', Z_OPT = Z_OPT + 1"))
    let error = cauldronError { try scene.parent.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationDenied)
    let other = OtherConnection(url)
    #expect(other.texts("SELECT ZNAME FROM ZHOUSE ORDER BY ZNAME") == ["a", "b"])
    let left = other.texts("SELECT h.ZNAME FROM ZHOUSE h JOIN ZROOM r ON r.ZHOUSE = h.Z_PK")
    #expect(left == ["a"])
  }

  @Test(arguments: StoreKind.allCases)
  func `what is required is missing no more once a child has set it`(_ kind: StoreKind) throws {
    let scene = try Scene(kind, Estate(rule: .cascade, isRequired: true), in: "a")
    try scene.move(to: nil, in: scene.parent)
    let room = try scene.parent.performAndWait { try $0.context.one("Room", "x")?.objectID }
    #expect(cauldronError { try scene.save() }?.code == .validationMissing)
    try scene.mend()
    try scene.parent.performAndWait { local in
      try local.context.existingObject(with: #require(room)).validateForSave()
    }
    try scene.parent.saveAndWait(toPersistentStore: true)
    #expect(try scene.found() == ["a", "b", "b"])
  }

  @Test func `what a context takes away after its child has set it is missing`() throws {
    let scene = try Scene(.memory, Estate(rule: .cascade, isRequired: true), in: "a")
    try scene.mend()
    try scene.move(to: nil, in: scene.parent)
    #expect(cauldronError { try scene.save() }?.code == .validationMissing)
  }
}

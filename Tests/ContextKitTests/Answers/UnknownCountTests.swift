import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Logging
import TestSupport
import Testing

@Entity final class Folder: ManagedObject {
  var name: String = ""
  @Relationship(deleteRule: .cascade) var sheets: ToMany<Sheet>
  @Attribute(derived: "sheets.@count") var sheetCount: Int
}

@Entity final class Sheet: ManagedObject {
  @Relationship(inverse: \Folder.sheets) var folder: Folder?
}

/// What is counted after a commit of which nobody knows whether it was written.
@Suite(.againstHanging) struct UnknownCountTests {
  private let store: FailingStore
  private let root: ManagedObjectContext
  private let beside: ManagedObjectContext
  /// Two folders, of which the first has a sheet.
  private let ids: [ManagedObjectID]

  init() throws {
    let model = try ManagedObjectModel(Folder.self, Sheet.self)
    let number = StoreNumbers.next()
    store = FailingStore(MemoryStore(model: model, storeNumber: number))
    let coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number,
      logger: Logger(label: "counts") { _ in SwiftLogNoOpLogHandler() })
    root = ManagedObjectContext(.private, coordinator: coordinator, name: "root")
    beside = ManagedObjectContext(.private, coordinator: coordinator, name: "beside")
    ids = try root.performAndWait { local in
      let made = (0..<2).map { _ in Folder.create(in: local) }
      Sheet.create(in: local).folder = made[0]
      try local.save()
      return made.map(\.objectID)
    }
  }

  /// The numbers of the folders that were made first, as their objects show them and as they are counted.
  private func counts(_ context: ManagedObjectContext) throws -> [[Int]] {
    try context.performAndWait { local in
      let folders = try ids.map { try #require(try Folder.find($0, in: local)) }
      let counted = try Folder.counts(of: \.sheets, for: folders, in: local)
      return [
        folders.map(\.sheetCount), folders.map(\.sheets.count), ids.map { counted[$0] ?? 0 },
      ]
    }
  }

  private func expect(_ counts: [Int], _ contexts: ManagedObjectContext...) throws {
    for context in contexts {
      #expect(try self.counts(context) == [counts, counts, counts], "\(context.name)")
    }
  }

  /// Moves the sheet to the second folder, and adds another one there.
  private func change() throws -> ManagedObjectContext {
    let child = ManagedObjectContext(.private, parent: root, name: "child")
    try child.performAndWait { local in
      try #require(try Sheet.findFirst(in: local)).folder = try Folder.find(ids[1], in: local)
      Sheet.create(in: local).folder = try Folder.find(ids[1], in: local)
    }
    return child
  }

  private func saveUnknown(_ context: ManagedObjectContext) {
    let error = #expect(throws: CauldronError.self) {
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(error?.code == .storeCommitOutcomeUnknown)
  }

  private func saveMore() throws {
    let other = ManagedObjectContext(.private, parent: root, name: "other")
    other.performAndWait { Folder.create(in: $0).name = "more" }
    try other.saveAndWait(toPersistentStore: true)
  }

  @Test(arguments: [false, true])
  func `numbers are read anew when a commit turns out to be written`(_ isWritten: Bool) throws {
    try expect([1, 0], root, beside)
    let child = try change()
    if isWritten { store.forgetOutcome() } else { store.loseOutcome() }
    saveUnknown(child)
    try saveMore()
    try expect([0, 2], root, beside, child)
  }

  @Test func `numbers are those of the store while nobody knows`() throws {
    try expect([1, 0], beside)
    let child = try change()
    store.forgetOutcome()
    saveUnknown(child)
    #expect(try counts(beside)[0] == [0, 2])
  }

  @Test func `a new row shows its number when its commit turns out to be written`() throws {
    let child = ManagedObjectContext(.private, parent: root, name: "child")
    let id = child.performAndWait { local in
      let folder = Folder.create(in: local)
      Sheet.create(in: local).folder = folder
      return folder.objectID
    }
    store.forgetOutcome()
    saveUnknown(child)
    try saveMore()
    for context in [root, beside, child] {
      let count = try context.performAndWait { try Folder.find(id, in: $0)?.sheetCount }
      #expect(count == 1, "\(context.name)")
    }
  }
}

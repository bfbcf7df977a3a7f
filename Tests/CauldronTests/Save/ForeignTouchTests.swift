import Cauldron
import CauldronLedger
import CauldronModel
import CauldronSQLite
import CauldronStore
import Dispatch
import Logging
import TestSupport
import Testing

@testable import CauldronGraph

/// A store that lets a test act between the moment at which foreign writes are noticed, and the one at which known rows
/// are distrusted.
///
/// `@unchecked Sendable` because the hook is set and called on the thread of one test.
private final class NoticingStore: ForwardingStore, @unchecked Sendable {
  let base: any PersistentStore
  var willDistrust: (() -> Void)?

  init(_ base: any PersistentStore) { self.base = base }

  func reader() throws -> any StoreReader { try base.reader() }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try base.save(plan, willCommit: willCommit, didCommit: didCommit)
  }

  func watchForeignWrites(
    distrusting distrust: @escaping @Sendable () -> Void,
    telling tell: @escaping @Sendable () -> Void
  ) throws -> (any ForeignWatch)? { nil }

  func noticeForeignWrites(_ distrust: () -> Void) {
    base.noticeForeignWrites {
      willDistrust?()
      distrust()
    }
  }
}

/// A commit that has an owner's version grow while another program's writes are being noticed.
@Suite(.againstHanging) struct ForeignTouchTests {
  @Test func `an owner's row that was known before a foreign write is read anew after a touch`()
    throws
  {
    let directory = try TemporaryDirectory()
    let url = directory.file("companies.sqlite")
    let model = try ManagedObjectModel(Company.self, Person.self, Passport.self)
    let number = StoreNumbers.next()
    let sqlite = try SQLiteStore.open(
      url: url, model: model, storeNumber: number, options: SQLiteStoreOptions())
    let store = NoticingStore(sqlite)
    let coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number,
      logger: Logger(label: "foreign") { _ in SwiftLogNoOpLogHandler() },
      mainQueue: MainQueue(DispatchQueue(label: "main of \(number)")))
    func context(_ name: String) -> ManagedObjectContext {
      ManagedObjectContext(.private, coordinator: coordinator, name: name)
    }
    let writer = context("writer")
    try writer.performAndWait { local in
      let company = Company.named("A", in: local.context)
      try local.context.saveAndWait(toPersistentStore: true)
      // So that the row is cached.
      company.rating = 1
      try local.context.saveAndWait(toPersistentStore: true)
    }
    #expect(try names(in: context("reader")) == ["A"])
    let other = OtherConnection(url)
    #expect(other.run("UPDATE ZCOMPANY SET ZNAME = 'B', Z_OPT = Z_OPT + 1"))
    // Between the moment at which it is noticed and the one at which rows are distrusted.
    var version: Int32?
    store.willDistrust = {
      store.willDistrust = nil
      version = try? writer.performAndWait { local in
        let company = try #require(try Company.findFirst(in: local.context))
        _ = Person.named("member", at: company, in: local.context)
        try local.context.saveAndWait(toPersistentStore: true)
        let entity = try #require(coordinator.layout(company.registeredID))
        let known = coordinator.cache.known(company.registeredID.key, root: entity.rootNumber)
        return try #require(known ?? nil).row.version
      }
    }
    #expect(try names(in: context("reader")) == ["B"])
    // Those are the older values, or the other program's; the older ones with a version that has grown would be 3.
    #expect(version == 2 || version == 4)
    withExtendedLifetime(directory) {}
  }

  private func names(in context: ManagedObjectContext) throws -> [String] {
    try context.performAndWait { try Company.findAll(in: $0.context).map(\.name) }
  }
}

import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// A migration that takes long tells how far it is, and can be given up.
@Suite(.againstHanging, .serialized) struct MigrationProgressTests {
  private static let old = EntityDescription.entity("Person", .text("name"), .text("fax"))
  private static let new = EntityDescription.entity(
    "Person", discards: ["fax: String"], .text("name"),
    .number("rank", isOptional: false, default: 7), .number("age"))

  /// A store that takes a while: so many people.
  private static func filled(_ count: Int) throws -> DayTwo {
    let store = try DayTwo()
    try store.open([old]) { context in
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(
      OtherConnection(store.url).run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZFAX)
        SELECT i, 1, 1, 'p' || i, 'f' || i FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(count);
        """))
    return store
  }

  private static func configuration(_ store: DayTwo) -> StackConfiguration {
    var configuration = StackConfiguration()
    configuration.logger = store.log.logger
    return configuration
  }

  /// What was told, by whatever thread.
  private final class Notes: Sendable {
    private let state = Locked<[MigrationProgress]>([])
    /// After how many notes the task is cancelled.
    private let most: Int
    private let task = Locked<Task<Stack, any Error>?>(nil)

    init(most: Int = .max) { self.most = most }

    var list: [MigrationProgress] { state.withLock { $0 } }

    @Sendable func add(_ progress: MigrationProgress) {
      let count = state.withLock { list in
        list.append(progress)
        return list.count
      }
      guard count >= most else { return }
      // The migration may be quicker than who has begun it.
      while task.withLock({ $0 == nil }) { usleep(100) }
      task.withLock { $0?.cancel() }
    }

    func watch(_ task: Task<Stack, any Error>) { self.task.withLock { $0 = task } }
  }

  @Test func `rows and phases are told, and a fraction that never falls`() async throws {
    let store = try Self.filled(200_000)
    let notes = Notes()
    let stack = try await Stack(
      storeURL: store.url, model: ManagedObjectModel(entities: [Self.new]),
      configuration: Self.configuration(store), onMigration: notes.add)
    try stack.close()
    let list = notes.list
    #expect(Set(list.map(\.phase)) == [.checking, .copying, .writing, .finishing])
    #expect(list.allSatisfy { $0.store == "people.sqlite" && (0...1).contains($0.fraction) })
    #expect(zip(list, list.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
    #expect(zip(list, list.dropFirst()).allSatisfy { $0.rowsDone <= $1.rowsDone })
    let last = try #require(list.last)
    #expect(last.rowsDone == 200_000 && last.rowsInAll == 200_000)
    #expect("\(last)".hasPrefix("Migrating people.sqlite: "), "\(last)")
  }

  @Test func `nothing is told where nothing is to do`() async throws {
    let store = try Self.filled(10)
    let notes = Notes()
    let stack = try await Stack(
      storeURL: store.url, model: ManagedObjectModel(entities: [Self.old]),
      configuration: Self.configuration(store), onMigration: notes.add)
    try stack.close()
    #expect(notes.list.isEmpty)
  }

  @Test func `cancelled at any moment, the file is as it was`() async throws {
    let store = try Self.filled(60_000)
    func values() -> [[String?]] {
      OtherConnection(store.url).rows(
        "SELECT count(*), sum(length(ZFAX)), (SELECT group_concat(sql) FROM sqlite_master)"
          + " FROM ZPERSON")
    }
    let before = values()
    var cancelled = 0
    let (url, configuration) = (store.url, Self.configuration(store))
    for number in 1...30 {
      let notes = Notes(most: number)
      let task = Task {
        try await Stack(
          storeURL: url, model: ManagedObjectModel(entities: [Self.new]),
          configuration: configuration, onMigration: notes.add)
      }
      notes.watch(task)
      do {
        try await task.value.close()
        break
      } catch let error as CauldronError {
        #expect(error.code == .migrationCancelled, "\(error)")
        cancelled += 1
        #expect(values() == before, "\(number)")
      }
    }
    #expect(cancelled >= 4)
  }
}

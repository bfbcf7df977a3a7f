import Cauldron
import CauldronMagicalRecord
import Foundation
import TestSupport
import Testing

/// Whoever sets up the default stack does it in another process.
@Suite(.againstHanging) struct SetupTests {
  @available(*, deprecated)
  private static func prepare() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    setenv("XDG_DATA_HOME", directory.url.path, 1)
    MagicalRecord.setLoggingLevel(.off)
    try NSManagedObjectModel.mr_setDefaultManagedObjectModel(
      ManagedObjectModel(Sailor.self, Ship.self))
    return directory
  }

  @available(*, deprecated)
  @Test func `before a stack is set up there is no coordinator`() async {
    await #expect(processExitsWith: .success) {
      #expect(NSPersistentStore.mr_default() == nil)
      #expect(NSPersistentStoreCoordinator.mr_default() == nil)
    }
  }

  @available(*, deprecated)
  @Test func `a stack is set up by name, and cleaned up`() async {
    await #expect(processExitsWith: .success) {
      let directory = try Self.prepare()
      MagicalRecord.setupCoreDataStack(withStoreNamed: "people")
      let url = try #require(Stack.default.coordinator.storeURL)
      #expect(url.path.hasPrefix(directory.url.path) && url.lastPathComponent == "people.sqlite")
      #expect(NSPersistentStore.mr_url(forStoreName: "people") == url)
      #expect(NSPersistentStore.mr_default() === Stack.default.coordinator)
      #expect(NSManagedObjectModel.mr_default() === Stack.default.model)
      MagicalRecord.cleanUp()
      #expect(!Stack.isSetUp)
    }
  }

  @available(*, deprecated)
  @Test func `a stack is set up by default, in memory and in a file`() async {
    await #expect(processExitsWith: .success) {
      let directory = try Self.prepare()
      let model = NSManagedObjectModel.mr_default()
      let url = directory.file("a.sqlite")
      let places: [(() -> Void, String?)] = [
        (MagicalRecord.setupCoreDataStack, MagicalRecord.defaultStoreName()),
        (MagicalRecord.setupAutoMigratingCoreDataStack, Stack.defaultStoreName),
        (MagicalRecord.setupCoreDataStackWithInMemoryStore, nil),
        ({ MagicalRecord.setupCoreDataStackWithStore(at: url) }, "a.sqlite"),
        (
          { MagicalRecord.setupCoreDataStackWithAutoMigratingSqliteStore(at: url) }, "a.sqlite"
        ),
        (
          { MagicalRecord.setupCoreDataStack(withAutoMigratingSqliteStoreNamed: "b") }, "b.sqlite"
        ),
      ]
      for (setUp, name) in places {
        NSManagedObjectModel.mr_setDefaultManagedObjectModel(model)
        setUp()
        #expect(Stack.default.coordinator.storeURL?.lastPathComponent == name)
        #expect(Stack.default.model === model)
        #expect(MagicalRecord.currentStack() == Stack.default.summary)
        MagicalRecord.cleanUp()
      }
      let place = NSPersistentStore.mr_defaultLocalStoreUrl()
      #expect(place?.lastPathComponent == MagicalRecord.defaultStoreName())
    }
  }

  @available(*, deprecated)
  @Test func `a second set-up is an error, and the first stack stays`() async {
    await #expect(processExitsWith: .success) {
      let directory = try Self.prepare()
      MagicalRecord.setupCoreDataStackWithInMemoryStore()
      let stack = Stack.default
      let errors = OldCalls.errors {
        MagicalRecord.setupCoreDataStack(withStoreNamed: "people")
        MagicalRecord.setupCoreDataStack(withStoreNamed: "a/b")
        #expect(NSPersistentStore.mr_url(forStoreName: "a/b") == nil)
      }
      #expect(errors.first?.code == .stackAlreadySetUp)
      #expect(errors.last?.code == .storeCannotOpen && errors.count == 3)
      #expect(Stack.default === stack)
      _ = directory
    }
  }

  @available(*, deprecated)
  @Test func `a store that is no database gives way where that is asked for`() async {
    await #expect(processExitsWith: .success) {
      let directory = try Self.prepare()
      let url = directory.file("a.sqlite")
      try Data(repeating: 7, count: 4096).write(to: url)
      let errors = OldCalls.errors { MagicalRecord.setupCoreDataStackWithStore(at: url) }
      #expect(errors.count == 1 && !Stack.isSetUp)
      #expect(!MagicalRecord.shouldDeleteStoreOnModelMismatch())
      MagicalRecord.setShouldDeleteStoreOnModelMismatch(true)
      MagicalRecord.setupCoreDataStackWithStore(at: url)
      #expect(Stack.isSetUp && MagicalRecord.shouldDeleteStoreOnModelMismatch())
      MagicalRecord.cleanUp()
    }
  }

  @available(*, deprecated)
  @Test func `coordinators are made by name and by file`() async {
    await #expect(processExitsWith: .success) {
      let directory = try Self.prepare()
      typealias Coordinator = NSPersistentStoreCoordinator
      let url = directory.file("a.sqlite")
      let made: [(Coordinator?, String)] = [
        (Coordinator.mr_new(), Stack.defaultStoreName),
        (Coordinator.mr_coordinator(withSqliteStoreNamed: "b"), "b.sqlite"),
        (Coordinator.mr_coordinator(withAutoMigratingSqliteStoreNamed: "c"), "c.sqlite"),
        (Coordinator.mr_coordinatorWithSqliteStore(at: url), "a.sqlite"),
      ]
      for (coordinator, name) in made {
        #expect(coordinator?.storeURL?.lastPathComponent == name)
        try coordinator?.close()
      }
      let again = Coordinator.mr_coordinatorWithAutoMigratingSqliteStore(at: url)
      #expect(again?.storeURL == url)
    }
  }

  @available(*, deprecated)
  @Test func `levels and options are kept`() async {
    await #expect(processExitsWith: .success) {
      MagicalRecord.setLoggingLevel(.all)
      #expect(MagicalRecord.loggingLevel() == MagicalRecordLoggingLevel.verbose)
      Stack.logLevel = nil
      #expect([.info, .error].contains(MagicalRecord.loggingLevel()))
      #expect(MagicalRecord.version() == Stack.libraryVersion)
      #expect(MagicalRecord.shouldAutoCreateManagedObjectModel())
      #expect(!MagicalRecord.shouldAutoCreateDefaultPersistentStoreCoordinator())
    }
  }
}

import Cauldron
import Foundation
import TestSupport
import Testing

/// MagicalRecord's calls on stacks, models, stores and coordinators that have had their counterpart
/// before; whoever sets up the default stack does it in another process.
@Suite(.againstHanging) struct StackCallTests {
  @Test func `setupCoreDataStackWithStoreAtURL: and …AutoMigratingSqliteStoreAtURL: open a file`()
    async
  {
    // setupCoreDataStackWithAutoMigratingSqliteStoreAtURL:
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let url = directory.file("people.sqlite")
      try setupStack(storeURL: url, model: Office.model())
      try await Stack.default.save { _ = Person.named("jack", in: $0.context) }
      try Stack.cleanUp()
      try setupAutoMigratingStack(storeURL: url, model: Office.model())
      let names = try await Stack.default.save { try Person.names(in: $0.context) }
      #expect(names == ["jack"])
      try Stack.cleanUp()
    }
  }

  @Test func `MR_newPersistentStoreCoordinator and MR_coordinatorWithSqliteStoreNamed: by name`()
    async
  {
    // MR_addAutoMigratingSqliteStoreNamed:
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      setenv("XDG_DATA_HOME", directory.url.path, 1)
      let first = try Stack(storeNamed: Stack.defaultStoreName, model: Office.model())
      let second = try Stack(storeNamed: "people", model: Office.model())
      #expect(first.coordinator.storeURL?.lastPathComponent == Stack.defaultStoreName)
      #expect(second.coordinator.storeURL == (try Stack.storeURL(named: "people")))
      #expect(!Stack.isSetUp)
      try first.close()
      try second.close()
    }
  }

  @Test func `MR_coordinatorWithSqliteStoreAtURL: and MR_addInMemoryStore make further stacks`()
    throws
  {
    // MR_addAutoMigratingSqliteStoreAtURL:, MR_initializeDefaultContextWithCoordinator:
    let directory = try TemporaryDirectory()
    let url = directory.file("a.sqlite")
    let (file, memory) = (
      try Stack(storeURL: url, model: Office.model()), try Stack.inMemory(model: Office.model())
    )
    #expect(file.coordinator.storeURL == url)
    #expect(memory.coordinator.storeURL == nil)
    #expect(file.defaultContext.parent === file.rootSavingContext)
    try file.close()
  }

  @Test func `MR_setDefaultStoreCoordinator: becomes a stack that is the default for a task`()
    throws
  {
    // MR_setDefaultPersistentStore:
    let stack = try Stack.inMemory(model: Office.model())
    try Stack.$current.withValue(stack) { () throws in
      // MR_defaultStoreCoordinator, MR_rootSavingContext, MR_defaultContext
      #expect(Stack.default.coordinator === stack.coordinator)
      #expect(ManagedObjectContext.rootSaving === stack.rootSavingContext)
      #expect(ManagedObjectContext.default === stack.defaultContext)
    }
  }

  @Test
  func `setDefaultModelFromClass: and MR_setDefaultManagedObjectModel: give a stack its model`()
    throws
  {
    // setDefaultModelNamed:
    let model = try ManagedObjectModel(Hooked.self)
    let stack = try Stack.inMemory(model: model)
    // MR_defaultManagedObjectModel
    #expect(stack.model === model)
    #expect(stack.model.entities.map(\.name) == ["Hooked"])
  }

  @Test func `MR_mergedObjectModelFromMainBundle refuses two entities of one name, and names them`()
  {
    // shouldAutoCreateManagedObjectModel: the classes of all tests are in one program.
    let error = cauldronError { _ = try ManagedObjectModel.discovered() }
    #expect(error?.code == .modelInvalid)
    #expect(error?.message.contains("two entities are named") == true)
  }

  @Test func `shouldAutoCreateDefaultPersistentStoreCoordinator: nothing is made unasked`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Stack.default
    }
    #expect(result.sentence.contains("No stack is set up."))
  }

  @Test func `a short call after a set-up that failed names what it met`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let directory = try TemporaryDirectory()
      let url = directory.file("people.sqlite")
      try Data("this is no database at all, and long enough".utf8).write(to: url)
      _ = try? setupStack(storeURL: url, model: Office.model())
      _ = Stack.default
    }
    #expect(
      result.sentence.contains("No stack is set up, because setting one up has failed: Cannot open")
    )
    #expect(result.sentence.contains("is not a SQLite database"))
  }

  @Test func `so it does after one that was awaited, and not after cleanUp`() async {
    let awaited = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let url = try TemporaryDirectory().file("none").appending(path: "people.sqlite")
      _ = try? await setupStack(storeURL: url, model: Office.model()) { _ in }
      _ = ManagedObjectContext.default
    }
    #expect(awaited.sentence.contains("because setting one up has failed: Cannot open store"))
    let cleaned = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let url = try TemporaryDirectory().file("none").appending(path: "people.sqlite")
      _ = try? setupStack(storeURL: url, model: Office.model())
      try Stack.cleanUp()
      _ = Stack.default
    }
    #expect(cleaned.sentence.contains("No stack is set up. Call setupStack(storeURL:) first."))
  }

  @Test func `shouldDeleteStoreOnModelMismatch moves the store aside instead of deleting it`()
    throws
  {
    let directory = try TemporaryDirectory()
    let url = directory.file("people.sqlite")
    try Data("this is no database at all, and long enough".utf8).write(to: url)
    var configuration = StackConfiguration()
    configuration.logger = LogCapture().logger
    configuration.migration = .backUpAndRecreate
    let stack = try Stack(storeURL: url, model: Office.model(), configuration: configuration)
    #expect(try stack.saveAndWait { try Person.count(in: $0) } == 0)
    let aside = directory.file("people.set-aside.sqlite")
    #expect(try String(contentsOf: aside, encoding: .utf8).hasPrefix("this is no database"))
    try stack.close()
  }

  @Test func `+version is a text`() { #expect(Stack.libraryVersion.first?.isNumber == true) }
}

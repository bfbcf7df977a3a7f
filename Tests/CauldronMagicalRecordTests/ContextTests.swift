import Cauldron
import CauldronMagicalRecord
import Testing

extension OldCalls {
  @Suite struct ContextTests {
    @available(*, deprecated)
    @Test @MainActor func `contexts are made where the old calls made them`() throws {
      let main = NSManagedObjectContext.mr_default()
      let root = NSManagedObjectContext.mr_rootSaving()
      let coordinator: PersistentStoreCoordinator = NSPersistentStoreCoordinator.mr_default()
      #expect(main === Stack.default.defaultContext && root === Stack.default.rootSavingContext)
      #expect(NSManagedObjectContext.mr_().parent === root)
      #expect(NSManagedObjectContext.mr_context(withParent: main).parent === main)
      #expect(NSManagedObjectContext.mr_newContext(withParent: main).parent === main)
      #expect(NSManagedObjectContext.mr_newMainQueue().concurrencyType == .main)
      for context in [
        NSManagedObjectContext.mr_context(with: coordinator),
        NSManagedObjectContext.mr_newContext(with: coordinator),
        NSManagedObjectContext.mr_newPrivateQueue(), NSManagedObjectContext.mr_new(),
        NSManagedObjectContext.mr_contextWithoutParent(),
      ] {
        #expect(context.parent == nil && context.concurrencyType == .private)
        #expect(context.persistentStoreCoordinator === coordinator)
      }
    }

    @available(*, deprecated)
    @Test @MainActor func `contexts have names, and tell their chain`() throws {
      let context = ManagedObjectContext.contextWithParent(.default)
      context.mr_setWorkingName("Session")
      #expect(context.mr_workingName() == "Session" && context.name == "Session")
      #expect(context.mr_description() == context.description)
      let lines = context.mr_parentChain().split(separator: "\n")
      #expect(lines.count == 3 && lines[0].hasSuffix("Session> (*)"))
      #expect(!lines[1].contains("*") && lines[2].hasSuffix("Root Saving Context>"))
    }

    @available(*, deprecated)
    @Test @MainActor func `objects are deleted together, and the main context is reset`() throws {
      let context = ManagedObjectContext.default
      context.mr_deleteObjects(try Sailor.findAll(\.crew, "red"))
      #expect(try Sailor.findAll().names == "Bob")
      NSManagedObjectContext.mr_resetDefaultContext()
      #expect(try Sailor.count() == 3)
    }

    @available(*, deprecated)
    @Test @MainActor func `a context takes in the saves of another until it stops`() async throws {
      let observer = ManagedObjectContext(.private, coordinator: Stack.default.coordinator)
      let other = ManagedObjectContext(.private, coordinator: Stack.default.coordinator)
      let id = try #require(try Sailor.findFirst(\.name, "Bob")).objectID
      func age() async throws -> Int? {
        try await observer.perform { try Sailor.find(id, in: $0)?.age }
      }
      func save(_ age: Int) async throws {
        try await other.perform { context in
          try Sailor.find(id, in: context)?.age = age
          try context.save()
        }
      }
      let kept = try await observer.perform { context in
        let bob = try #require(try Sailor.find(id, in: context))
        bob.crew = "none"
        return bob.age
      }
      #expect(kept == 20)
      observer.mr_observe(other)
      try await save(21)
      #expect(try await age() == 21)
      observer.mr_stopObserving(other)
      try await save(22)
      #expect(try await age() == 21)
      observer.mr_observe(onMainThread: other)
      try await save(23)
      #expect(try await age() == 23)
      observer.mr_stopObserving(other)
    }

    @available(*, deprecated)
    @Test func `a coordinator works without the stack that nobody keeps`() async throws {
      let model = Stack.default.model
      NSManagedObjectModel.mr_setDefaultManagedObjectModel(model)
      defer { NSManagedObjectModel.mr_setDefaultManagedObjectModel(nil) }
      let coordinator = try #require(
        NSPersistentStoreCoordinator.mr_coordinatorWithInMemoryStore())
      #expect(coordinator.managedObjectModel === model)
      let context = ManagedObjectContext.mr_context(with: coordinator)
      let count = try await context.perform { local in
        Sailor.mr_createEntity(in: local)?.name = "Dan"
        try local.save()
        return try Sailor.count(in: local)
      }
      #expect(count == 1)
    }
  }
}

import Cauldron
import CauldronMagicalRecord
import Dispatch
import Testing

extension OldCalls {
  @Suite struct SavingTests {
    /// How many sailors the store has.
    private func stored() async throws -> Int {
      let context = ManagedObjectContext(.private, coordinator: Stack.default.coordinator)
      return try await context.perform { try Sailor.count(in: $0) }
    }

    /// Waits until a call has called back.
    private nonisolated(nonsending) func outcome(
      _ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
    ) async -> (Bool, String?) {
      await withCheckedContinuation { continuation in
        call { didSave, error in
          continuation.resume(returning: (didSave, (error as? CauldronError)?.code.rawValue))
        }
      }
    }

    @available(*, deprecated)
    @Test @MainActor func `a context is saved to the store, and calls back`() async throws {
      Sailor.create().name = "Dan"
      let context = ManagedObjectContext.default
      let saved = await outcome { context.mr_saveToPersistentStore(completion: $0) }
      #expect(saved == (true, nil))
      let again = await outcome { context.mr_saveToPersistentStore(completion: $0) }
      #expect(again == (false, nil))
      #expect(try await stored() == 4)
    }

    @available(*, deprecated)
    @Test @MainActor func `a context alone is saved, and calls back`() async throws {
      Sailor.create().name = "Dan"
      let saved = await outcome { ManagedObjectContext.default.mr_saveOnlySelf(completion: $0) }
      #expect(saved == (true, nil))
      #expect(!ManagedObjectContext.default.hasChanges)
      #expect(try await stored() == 3)
    }

    @available(*, deprecated)
    @Test func `the calls that wait save as far as they say`() async throws {
      #expect(try await stored() == 3)
      try await waiting { context in
        Sailor.create(in: context).name = "1"
        context.mr_saveOnlySelfAndWait()
        #expect(ManagedObjectContext.rootSaving.performAndWait { $0.hasChanges })
        context.mr_saveToPersistentStoreAndWait()
        Sailor.create(in: context).name = "2"
        context.mr_save(options: [.parentContexts, .synchronously], completion: nil)
        Sailor.create(in: context).name = "3"
        context.mr_save()
        Sailor.create(in: context).name = "4"
        context.mr_saveWithErrorCallback(nil)
        context.mr_save(blockAndWait: { Sailor.create(in: $0).name = "5" })
      }
      #expect(try await stored() == 8)
    }

    @available(*, deprecated)
    @Test @MainActor func `blocks are saved, in the background or not`() async throws {
      let first = await outcome { done in
        MagicalRecord.save({ Sailor.mr_createEntity(in: $0)?.name = "1" }, completion: done)
      }
      let second = await outcome { done in
        ManagedObjectContext.default.mr_save(
          { Sailor.mr_createEntity(in: $0)?.name = "2" }, completion: done)
      }
      #expect(first == (true, nil) && second == (true, nil))
      await withCheckedContinuation { continuation in
        MagicalRecord.saveInBackground(
          { Sailor.create(in: $0).name = "3" }, completion: { continuation.resume() })
      }
      #expect(try await stored() == 6)
      #expect(try Sailor.count() == 6)
    }

    @available(*, deprecated)
    @Test func `a block is saved while the caller waits`() async throws {
      try await waiting { _ in
        MagicalRecord.save(blockAndWait: { Sailor.create(in: $0).name = "1" })
      }
      #expect(try await stored() == 4)
    }

    @available(*, deprecated)
    @Test @MainActor func `a save that fails is told to all, and logged once`() async throws {
      let log = LogCapture()
      var configuration = StackConfiguration()
      configuration.logger = log.logger
      let stack = try Stack.inMemory(model: Stack.default.model, configuration: configuration)
      let told = await OldCalls.errorsMeanwhile {
        _ = Ship.create(in: stack.defaultContext)
        let failed = await outcome { stack.defaultContext.mr_saveToPersistentStore(completion: $0) }
        #expect(failed == (false, "validation.missing"))
      }
      #expect(told.count == 1)
      #expect(log.messages.count == 1, "\(log.messages)")
    }

    @available(*, deprecated)
    @Test func `a save on a closed stack is told and logged once, in all forms`() async throws {
      let log = LogCapture()
      var configuration = StackConfiguration()
      configuration.logger = log.logger
      let stack = try Stack.inMemory(model: Stack.default.model, configuration: configuration)
      let context = ManagedObjectContext.contextWithParent(stack.rootSavingContext)
      Sailor.create(in: context).name = "Dan"
      try stack.close()
      let told = await OldCalls.errorsMeanwhile {
        try? await waiting { _ in
          context.mr_saveToPersistentStoreAndWait()
          context.mr_save(blockAndWait: { Sailor.create(in: $0).name = "Eve" })
        }
      }
      #expect(told.map(\.code) == [.stackClosed, .stackClosed])
      #expect(log.messages.count == 2, "\(log.messages)")
    }

    @available(*, deprecated)
    @Test @MainActor func `the handlers of the old saves are called, too`() async throws {
      let told = Locked(0)
      _ = Ship.create()
      let errors = await OldCalls.errorsMeanwhile {
        await withCheckedContinuation { continuation in
          ManagedObjectContext.default.mr_saveNestedContextsErrorHandler { _ in
            told.withLock { $0 += 1 }
          } completion: {
            continuation.resume()
          }
        }
      }
      #expect(told.withLock { $0 } == 1)
      #expect(errors.map(\.code) == [.validationMissing])
    }

    /// Runs a closure on a thread that may wait, with a private context.
    private func waiting(
      _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void
    ) async throws {
      let stack = Stack.default
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            with: Result {
              try Stack.$current.withValue(stack) {
                try body(ManagedObjectContext.contextWithParent(.rootSaving))
              }
            })
        }
      }
    }
  }
}

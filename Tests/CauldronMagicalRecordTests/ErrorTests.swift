import Cauldron
import CauldronMagicalRecord
import Foundation
import Logging
import Testing

extension OldCalls {
  @Suite struct ErrorTests {
    @available(*, deprecated)
    @Test func `an error is logged in one sentence, with the call, and goes to the handler`() throws
    {
      let log = LogCapture()
      var configuration = StackConfiguration()
      configuration.logger = log.logger
      let stack = try Stack.inMemory(model: Stack.default.model, configuration: configuration)
      let context = ManagedObjectContext.contextWithParent(stack.rootSavingContext)
      let errors = OldCalls.errors {
        #expect(Sailor.mr_findAll(with: NSPredicate(format: "agee > 3"), in: context) == nil)
      }
      #expect(errors.map(\.code) == [.queryUnknownKey])
      #expect(log.messages == ["\(try #require(errors.first))"])
      #expect(log.metadata.first?["call"] == "mr_findAll(with:in:)")
      #expect(log.metadata.first?["code"] == "query.unknownKey")
    }

    @available(*, deprecated)
    @Test func `the program's own errors go to the handler, too`() {
      let error = CauldronError(.queryUnsupported, "No.")
      let errors = OldCalls.errors {
        MagicalRecord.handleErrors(error)
        MagicalRecord.handleErrors(nil)
      }
      #expect(errors.map(\.message) == ["No."])
    }

    @available(*, deprecated)
    @Test func `the handler is set and called on any thread`() async {
      let count = Locked(0)
      MagicalRecord.errorHandler = { _ in count.withLock { $0 += 1 } }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            MagicalRecord.errorHandler = MagicalRecord.errorHandler
            MagicalRecord.handleErrors(CauldronError(.queryUnsupported, "No."))
          }
        }
      }
      MagicalRecord.errorHandler = nil
      #expect(count.withLock { $0 } == 50)
    }
  }
}

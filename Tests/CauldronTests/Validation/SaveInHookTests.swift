import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Hooks that ask for a save of the context that validates.
@Suite(.againstHanging) struct SaveInHookTests {
  private static let sentence =
    "Cannot save \"Child\" while validateForUpdate() of Trial runs, which is part of a save."

  @Test(arguments: [false, true])
  func `a save in a hook is refused with one sentence`(isCaught: Bool) throws {
    let context = try Trial.bench().child()
    let trial = try Trial.saved("a", in: context)
    trial.name = "b"
    let diary = Diary()
    trial.on("update") { _ in
      do {
        try context.save()
      } catch {
        diary.note(error)
        if !isCaught { throw error }
      }
    }
    if isCaught {
      try context.save()
    } else {
      #expect(cauldronError { try context.save() }?.message == Self.sentence)
    }
    #expect(diary.errors.map(\.message) == [Self.sentence])
    #expect(context.hasChanges == !isCaught)
    trial.script = nil
    trial.name = "c"
    try context.save()
  }

  @Test func `a save to the store that a hook asks for is refused, too`() async throws {
    let bench = try Trial.bench()
    let child = bench.child()
    let answers = Locked<[String]>([])
    try await child.perform { context in
      let trial = Trial.create(in: context)
      trial.on("size") { trial in
        trial.managedObjectContext?.save(toPersistentStore: true) { didSave, error in
          answers.withLock { $0.append("\(didSave) \((error as? CauldronError)?.message ?? "")") }
        }
      }
      try context.save()
    }
    bench.settleMain()
    #expect(
      answers.withLock { $0 } == [
        "false Cannot save \"Child\" while validate(_:for:) of Trial runs, which is part of a save."
      ])
  }

  @Test func `a save in a save block's hook is refused, too`() async throws {
    let bench = try Trial.bench()
    let messages = Locked<[String]>([])
    try await bench.stack.save { context in
      let trial = Trial.create(in: context)
      trial.on("insert") { trial in
        do { try trial.managedObjectContext?.save() } catch {
          messages.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(messages.withLock { $0.first }?.contains("while validateForInsert() of Trial") == true)
    #expect(try Trial.count(in: bench.committed()) == 1)
  }
}

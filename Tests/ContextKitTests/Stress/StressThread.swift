import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport

/// One thread of the stress: in a context of its sixteen it does one piece of work after another.
final class StressThread {
  private let stress: StressRun
  private let number: Int
  private var random: SeededGenerator
  private var contexts: [ManagedObjectContext]
  private var step = 0
  /// Others' long tests may hold every thread that tasks share, and nobody would meet meanwhile.
  private let executor = OwnThreadExecutor()

  init(_ stress: StressRun, _ number: Int, seed: UInt64) {
    self.stress = stress
    self.number = number
    random = SeededGenerator(seed: seed &+ UInt64(number))
    contexts = []
    contexts = (0..<StressRun.contexts).map { _ in makeContext() }
  }

  func run() {
    while stress.isRunning {
      step += 1
      let index = Int.random(in: 0..<contexts.count, using: &random)
      do {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: try transfer(contexts[index])
        case 5..<7: try add(contexts[index])
        case 7..<9: try write(contexts[index])
        default: contexts[index] = makeContext()
        }
      } catch let error as CauldronError
        where [.saveConflict, .saveDependency, .saveDiscarded].contains(error.code)
      {
        stress.refusals.add()
        contexts[index].performAndWait { $0.rollback() }
      } catch is CancellationError {
        contexts[index].performAndWait { $0.rollback() }
      } catch {
        stress.problem("\(error)")
      }
    }
  }

  /// Below the main context, below the root, or beside it where the run has siblings.
  private func makeContext() -> ManagedObjectContext {
    let name = "thread \(number)"
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return stress.kit.child(name, of: stress.kit.root)
    case 1 where stress.hasSiblings: return stress.kit.sibling(name)
    default: return stress.kit.child(name)
    }
  }

  private func transfer(_ context: ManagedObjectContext) throws {
    let (from, to) = (random.pick(stress.accounts), random.pick(stress.accounts))
    let amount = Int.random(in: 1...20, using: &random)
    let mark = Int.random(in: 0..<Int.max, using: &random)
    try context.performAndWait { local in
      let (source, target) = (try local.context.account(from), try local.context.account(to))
      local.context.refresh(source, mergeChanges: true)
      local.context.refresh(target, mergeChanges: true)
      source.balance -= amount
      target.balance += amount
      // Two transfers of the same amount are two, so they must not pass for one and the same.
      source.mark = mark
      target.mark = mark
    }
    // Lets others touch the same accounts meanwhile, also where threads seldom take turns.
    if random.once(in: 4) { Thread.sleep(forTimeInterval: 0.002) }
    try save(context)
  }

  private func add(_ context: ManagedObjectContext) throws {
    let owner = "thread \(number), step \(step)"
    context.add(owner)
    try save(context)
    stress.acknowledged.withLock { _ = $0.insert(owner) }
  }

  private func write(_ context: ManagedObjectContext) throws {
    let (id, step) = (stress.diaries[number], step)
    try context.performAndWait { local in
      let diary = try local.context.account(id)
      local.context.refresh(diary, mergeChanges: true)
      diary.diary += "\(step),"
    }
    try save(context)
    stress.written.withLock { $0[number].append(step) }
  }

  /// Saves to the store in one of three ways, sometimes in a task that is cancelled meanwhile.
  private func save(_ context: ManagedObjectContext) throws {
    stress.saves.add()
    switch Int.random(in: 0..<3, using: &random) {
    case 0: try context.saveAndWait(toPersistentStore: true)
    case 1: try saveWithCompletion(context)
    default: try saveInTask(context, cancels: random.once(in: 3))
    }
  }

  private func saveWithCompletion(_ context: ManagedObjectContext) throws {
    let answer = Locked<(any Error)?>(nil)
    let isAnswered = DispatchSemaphore(value: 0)
    context.save(toPersistentStore: true) { didSave, error in
      answer.withLock { $0 = didSave ? nil : error ?? NoAccount() }
      isAnswered.signal()
    }
    isAnswered.wait()
    if let error = answer.withLock({ $0 }) { throw error }
  }

  private func saveInTask(_ context: ManagedObjectContext, cancels: Bool) throws {
    let answer = Locked<(any Error)?>(nil)
    let isAnswered = DispatchSemaphore(value: 0)
    let task = Task(executorPreference: executor) {
      do {
        try await context.save(toPersistentStore: true)
      } catch {
        answer.withLock { $0 = error }
      }
      isAnswered.signal()
    }
    if cancels { task.cancel() }
    isAnswered.wait()
    if let error = answer.withLock({ $0 }) { throw error }
  }
}

import Cauldron
import Dispatch
import TestSupport
import Testing

/// Short programs over a context and its child: no save that succeeds loses an edit, and what a thread or a
/// task did before is seen.
@Suite(.againstHanging) struct OrderSampleTests {
  private static let count = 300

  /// The same programs for the same seed.
  private static func programs(_ seed: UInt64) -> [(steps: [OrderStep], isNew: Bool)] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let length = Int.random(in: 2...5, using: &random)
      return ((0..<length).map { _ in random.pick(OrderStep.allCases) }, random.once(in: 2))
    }
  }

  /// Runs a block on another thread, while the calling one has its event.
  private static func elsewhere(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      body()
      done.signal()
    }
    done.wait()
  }

  private enum Way: CaseIterable { case direct, performAndWait, dispatch }

  @Test(.ownThread, arguments: Way.allCases)
  private func `no edit is lost in one event, whatever thread the child runs on`(_ way: Way) throws
  {
    let bench = try Bench()
    try bench.onMain { main in
      for (steps, isNew) in Self.programs(7) {
        let run = try OrderProgram(steps, isNew: isNew, sees: way != .dispatch, in: main)
        let child = ManagedObjectContext(
          way == .direct ? .main : .private, parent: main, name: "Child")
        for step in steps + [.saveBelow] {
          guard step.isBelow else {
            run.above(step)
            continue
          }
          switch way {
          case .direct: run.below(step, child)
          case .performAndWait: child.performAndWait { run.below(step, $0.context) }
          case .dispatch:
            Self.elsewhere { child.performAndWait { run.below(step, $0.context) } }
          }
        }
        try run.finish()
      }
    }
  }

  @Test @MainActor func `no edit is lost where a task awaits its child`() async throws {
    let bench = try Bench { $0.mainQueue = .main }
    for (steps, isNew) in Self.programs(11) {
      let run = try OrderProgram(steps, isNew: isNew, sees: true, in: bench.mainContext)
      let child = bench.child("Child", of: bench.mainContext)
      for step in steps + [.saveBelow] {
        if step.isBelow {
          await child.perform { run.below(step, $0.context) }
        } else {
          run.above(step)
        }
      }
      try run.finish()
    }
  }
}

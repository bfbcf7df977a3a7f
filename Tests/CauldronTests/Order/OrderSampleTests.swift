import Dispatch
import GraphKit
import TestSupport
import Testing

/// Short programs over a context and its child; `soak orders` runs all of them.
@Suite(.againstHanging) struct OrderSampleTests {
  /// For each way and layout; a sanitizer looks at every access.
  private static let count = Sanitizer.isOn ? 200 : 2_500

  /// The same programs for the same seed.
  private static func programs(_ seed: UInt64) -> [(steps: [OrderStep], isNew: Bool)] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let length = Int.random(in: 2...5, using: &random)
      return ((0..<length).map { _ in random.pick(OrderStep.allCases) }, random.once(in: 2))
    }
  }

  @Test(.ownThread, arguments: OrderRun.Place.all)
  func `no edit is lost in one event, whatever thread the child runs on`(
    _ place: OrderRun.Place
  ) throws {
    var run = try OrderRun()
    for (steps, isNew) in Self.programs(7) {
      let findings = try run.findings(of: steps, isNew: isNew, at: place)
      #expect(findings == [])
    }
  }

  @Test @MainActor func `no edit is lost where a task awaits its child`() async throws {
    var run = try OrderRun(mainQueue: .main)
    for (steps, isNew) in Self.programs(11) {
      let findings = try await run.awaitedFindings(of: steps, isNew: isNew)
      #expect(findings == [])
    }
  }

  /// Found by the sample.
  @Test(.ownThread, arguments: OrderRun.Place.all)
  func `what is changed while it is unknown, and deleted then, is a conflict`(
    _ place: OrderRun.Place
  ) throws {
    var run = try OrderRun()
    for change in [OrderStep.editBelow, .deleteBelow] {
      let steps = [.edit, change, .save, .delete, .end]
      let findings = try run.findings(of: steps, isNew: true, at: place)
      #expect(findings == [])
    }
  }

  @Test func `of all programs those that do what a shorter one does are left out`() {
    let programs = [OrderStep].programs(of: 3)
    #expect(programs.count == Set(programs).count && programs.count < 512)
    #expect(programs.contains([.edit, .editBelow, .saveBelow]))
    #expect(!programs.contains([.readBelow, .readBelow, .edit]))
    // What was done meanwhile is read.
    #expect(programs.contains([.readBelow, .edit, .readBelow]))
    #expect(![OrderStep].programs(of: 2).contains([.end, .end]))
  }
}

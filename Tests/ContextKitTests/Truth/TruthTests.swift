import Cauldron
import CauldronModel
import Foundation
import Testing

/// Fifty concurrent saves give fifty truthful answers.
@Suite(.timeLimit(.minutes(30)), .serialized) struct TruthTests {
  /// `CAULDRON_TRUTH_RUNS` asks for more, or fewer.
  private static let runs =
    ProcessInfo.processInfo.environment["CAULDRON_TRUTH_RUNS"].flatMap(Int.init) ?? 300

  @Test func `fifty concurrent saves in memory are answered truthfully`() async throws {
    for seed in 0..<UInt64(Self.runs) {
      let lies = try await TruthRun(.memory, seed: seed).run()
      #expect(lies.isEmpty, "seed \(seed)")
    }
  }

  @Test func `fifty concurrent saves in a file are answered truthfully`() async throws {
    for seed in 0..<UInt64(max(3, Self.runs / 10)) {
      let lies = try await TruthRun(.file, seed: 1_000_000 + seed).run()
      #expect(lies.isEmpty, "seed \(seed)")
    }
  }

  @Test func `a save whose changes a sibling has carried names that sibling's save`() async throws {
    let kit = try Kit()
    let (slow, quick) = (kit.child("slow"), kit.child("quick"))
    slow.add("slow")
    quick.add("quick")
    // The main queue stands still until both are in the main context.
    let gate = DispatchSemaphore(value: 0)
    kit.main.async { gate.wait() }
    async let first = slow.save(toPersistentStore: true)
    async let second = quick.save(toPersistentStore: true)
    while try kit.seenByMain().count < 2 {
      try await Task.sleep(for: .milliseconds(1))
    }
    gate.signal()
    let summaries = try await [first, second].map { outcome in
      guard case .saved(let summary) = outcome else { throw NoAccount() }
      return summary
    }
    let carried = summaries.filter { $0.carriedBy != nil }
    #expect(carried.count == 1)
    #expect(carried.first?.carriedBy == summaries.first { $0.carriedBy == nil }?.saveID)
    #expect(summaries.allSatisfy { $0.inserted == 1 })
    #expect(try kit.stored() == ["quick", "slow"])
  }

  @Test func `an object that cannot be saved does not fail the saves of others`() async throws {
    let kit = try Kit()
    kit.onMain { main in
      _ = Account.create(in: main)
      main.processPendingChanges()
    }
    let child = kit.child()
    child.add("a")
    let outcome = try await child.save(toPersistentStore: true)
    #expect(outcome != .noChanges)
    #expect(try kit.stored() == ["a"])
    #expect(kit.onMain { $0.hasChanges })
  }

  @Test func `a save whose push an ancestor rolls back is told so`() async throws {
    let kit = try Kit()
    let gate = DispatchSemaphore(value: 0)
    kit.main.async {
      gate.wait()
      kit.mainContext.rollback()
    }
    let child = kit.child()
    child.add("a")
    let outcomes = Outcomes(kit)
    child.save(toPersistentStore: true, completion: outcomes.expect(0))
    while try kit.seenByMain().isEmpty {
      try await Task.sleep(for: .milliseconds(1))
    }
    gate.signal()
    let reports = outcomes.wait()[0] ?? []
    #expect(reports.count == 1)
    #expect(reports.first?.didSave == false)
    #expect(reports.first?.error?.code == .saveDiscarded)
    #expect(try kit.stored().isEmpty)
  }
}

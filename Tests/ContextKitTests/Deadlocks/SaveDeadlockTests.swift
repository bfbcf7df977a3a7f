import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// Saves begin inside other saves, and their ends meet.
@Suite(.againstHanging, .serialized) struct SaveDeadlockTests {
  @Test func `an observer saves inside the did-save notification`() async throws {
    let kit = try Kit()
    let child = kit.child()
    try await finishes {
      let observation = child.observe { change in
        guard change.kind == .didSave, change.inserted.count == 1 else { return }
        let other = kit.child("other")
        other.add("from the observer")
        _ = try? other.saveAndWait(toPersistentStore: true)
      }
      child.add("a")
      try child.saveAndWait(toPersistentStore: true)
      observation.cancel()
      #expect(try kit.stored() == ["a", "from the observer"])
    }
  }

  @Test func `an observer saves the saving context once more`() async throws {
    let kit = try Kit()
    let child = kit.child()
    try await finishes {
      let saves = Counter()
      let observation = child.observe { change in
        guard change.kind == .didSave else { return }
        saves.add()
        guard saves.value == 1 else { return }
        Account.named("b", in: child)
        do { try child.save() } catch { Issue.record(error) }
      }
      child.performAndWait { local in
        Account.named("a", in: local.context)
        do { try local.save() } catch { Issue.record(error) }
      }
      observation.cancel()
      #expect(saves.value == 2)
      let owners = try kit.onMain { try Account.owners(in: $0) }
      #expect(owners == ["a", "b"])
    }
  }

  @Test func `contexts merge each other's saves while both save`() async throws {
    let kit = try Kit { $0.layout = .siblings }
    let contexts = [kit.sibling("a"), kit.sibling("b")]
    try await finishes {
      let observations = (0..<2).map { number in
        contexts[number].observe { change in
          guard change.kind == .didSave else { return }
          contexts[1 - number].mergeChanges(fromContextDidSave: change)
          kit.mainContext.mergeChanges(fromContextDidSave: change)
        }
      }
      onThreads(2) { number in
        for round in 0..<50 {
          contexts[number].add("\(number).\(round)")
          do {
            try contexts[number].performAndWait { try $0.save() }
          } catch {
            Issue.record(error)
          }
        }
      }
      for observation in observations { observation.cancel() }
      let stored = try kit.stored()
      #expect(stored.count == 100)
    }
  }

  @Test func `a completion saves again`() async throws {
    let kit = try Kit()
    try await finishes {
      let isDone = DispatchSemaphore(value: 0)
      kit.main.async { saveAgain(kit, left: 20, isDone) }
      isDone.wait()
      let stored = try kit.stored()
      #expect(stored.count == 20)
    }
  }

  @Test func `a completion waits for another save`() async throws {
    let kit = try Kit()
    try await finishes {
      let isDone = DispatchSemaphore(value: 0)
      let child = kit.child()
      child.add("a")
      child.save(toPersistentStore: true) { _, _ in
        kit.mainContext.add("b")
        _ = try? kit.mainContext.saveAndWait(toPersistentStore: true)
        isDone.signal()
      }
      isDone.wait()
      let stored = try kit.stored()
      #expect(stored == ["a", "b"])
    }
  }

  @Test func `a stack that is closed while saves run answers each of them with the truth`()
    async throws
  {
    for round in 0..<10 {
      let kit = try Kit(.file)
      try await finishes {
        let outcomes = Outcomes(kit)
        for number in 0..<20 {
          let context = kit.child("context \(number)", of: number % 2 == 0 ? kit.root : nil)
          context.add("account \(number)")
          context.save(toPersistentStore: true, completion: outcomes.expect(number))
        }
        usleep(UInt32(round) * 300)
        try kit.stack.close()
        let reports = outcomes.wait()
        #expect(reports.count == 20)
        for report in reports.values.joined() where !report.didSave {
          #expect(report.error?.code == .stackClosed)
        }
        let error = #expect(throws: CauldronError.self) { try kit.stored() }
        #expect(error?.code == .stackClosed)
      }
    }
  }

  @Test func `a context that nobody holds any more finishes its block and its save`() async throws {
    let kit = try Kit()
    try await finishes {
      let isDone = DispatchSemaphore(value: 0)
      weak var context: ManagedObjectContext?
      do {
        let child = kit.child()
        context = child
        child.perform { local in
          Account.named("a", in: local.context)
          local.context.save(toPersistentStore: true) { _, _ in isDone.signal() }
        }
      }
      isDone.wait()
      let stored = try kit.stored()
      #expect(stored == ["a"])
      // The thread that ran the block may be about to let go of it.
      for _ in 0..<6_000 where context != nil { usleep(5_000) }
      #expect(context == nil)
    }
  }
}

/// Saves from a completion, as often as asked.
private func saveAgain(_ kit: Kit, left: Int, _ isDone: DispatchSemaphore) {
  guard left > 0 else {
    isDone.signal()
    return
  }
  let child = kit.child()
  child.add("account \(left)")
  child.save(toPersistentStore: true) { didSave, error in
    #expect(didSave && error == nil)
    saveAgain(kit, left: left - 1, isDone)
  }
}

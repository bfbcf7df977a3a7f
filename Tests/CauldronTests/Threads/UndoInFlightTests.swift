import Cauldron
import CauldronGraph
import CauldronLedger
import Dispatch
import TestSupport
import Testing

/// What is undone while it is being written.
@Suite(.againstHanging, .ownThread) struct UndoInFlightTests {
  private let office: GatedOffice
  private let begun = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)

  init() throws { office = try GatedOffice(people: ["ann"]) }

  /// Undoes in the root what its save is writing just then.
  private func undoWhileWriting(_ change: (Person) -> Void) throws {
    let root = office.root
    try root.performAndWait { local in
      local.context.undoManager = UndoManager()
      change(try #require(try Person.findFirst(in: local.context)))
    }
    let isFirst = Locked(true)
    office.store.onMoment { [begun, gate] moment in
      guard moment == .committing,
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      else { return }
      begun.signal()
      gate.wait()
    }
    let saved = DispatchSemaphore(value: 0)
    root.save(toPersistentStore: true) { _, _ in saved.signal() }
    begun.wait()
    let undone = DispatchSemaphore(value: 0)
    let error = Locked<(any Error)?>(nil)
    DispatchQueue.global().async {
      do {
        try root.performAndWait { try $0.context.undo() }
      } catch let thrown { error.withLock { $0 = thrown } }
      undone.signal()
    }
    // It may wait for the commit, or not.
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { [gate] in gate.signal() }
    saved.wait()
    undone.wait()
    #expect(error.withLock { $0 } == nil)
    office.store.onMoment { _ in }
  }

  private func stored() throws -> [String] {
    let other = ManagedObjectContext(.private, coordinator: office.coordinator, name: "Other")
    return try other.performAndWait { try Person.names(in: $0.context) }
  }

  @Test func `an edit that is being written is saved with its old value next time`() throws {
    try undoWhileWriting { $0.name = "amy" }
    #expect(comesTrueSoon { office.root.performAndWait { $0.hasChanges } })
    #expect(try stored() == ["amy"])
    try office.root.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["ann"])
  }

  @Test func `an object whose deletion is being written comes again`() throws {
    try undoWhileWriting { $0.delete() }
    #expect(comesTrueSoon { office.root.performAndWait { $0.hasChanges } })
    try office.root.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["ann"])
  }
}

import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CauldronLedger
@testable import CauldronLive

/// A change that comes while a list or number is being read is in what they show next.
@Suite(.againstHanging, .ownThread) struct FirstResultTests {
  /// A place at which one reader of a store stands still until the test lets it go on.
  private final class Gate: Sendable {
    private let moments: Locked<[GateStore.Moment]>
    private let isInside = DispatchSemaphore(value: 0)
    private let goOn = DispatchSemaphore(value: 0)

    /// - Parameter moments: Where it stands still, one after the other.
    init(_ store: GateStore, at moments: [GateStore.Moment]) {
      self.moments = Locked(moments)
      store.onMoment { [self] moment in
        let isHere = self.moments.withLock { moments in
          guard moments.first == moment else { return false }
          moments.removeFirst()
          return true
        }
        guard isHere else { return }
        isInside.signal()
        _ = goOn.wait(timeout: .now() + 2 * patience)
      }
    }

    /// Runs `body` while the reader stands still, and then waits until the queue of all lists has looked.
    func pass(_ body: () throws -> Void) rethrows {
      #expect(isInside.wait(timeout: .now() + patience) == .success)
      defer { goOn.signal() }
      try body()
      usleep(100_000)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a list has what is changed while its first result is fetched`(_ kind: StoreKind) throws {
    // More than is looked at on the thread of the context's owner.
    let names = (0..<300).map { "bob \($0 + 100)" }
    let office = try GatedOffice(kind, people: ["ann"])
    let gate = Gate(office.store, at: [.reading])
    let list = office.onMain { main in
      FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: main)
    }
    // The main queue goes on meanwhile.
    let task = Task { try await list.performFetch() }
    gate.pass {
      office.onMain { main in
        for name in names { Person.named(name, in: main) }
        main.processPendingChanges()
      }
    }
    #expect(comesTrueSoon { office.onMain { _ in list.names } == ["ann"] + names })
    task.cancel()
    try office.coordinator.close()
  }

  @Test(arguments: StoreKind.allCases)
  func `a number forgets an edit that came and went while it was gathered`(
    _ kind: StoreKind
  ) throws {
    let office = try GatedOffice(kind, people: ["ann"])
    let gate = Gate(office.store, at: [.pinned, .counting])
    let numbers = Locked<[Int]>([])
    let context = office.main
    let task = Task {
      for try await number in ObjectQuery<Person>().counts(in: context) {
        numbers.withLock { $0.append(number) }
      }
    }
    let ledger = office.coordinator.ledger
    gate.pass {
      // Numbers that are behind are looked for when both has happened.
      ledger.withLock { ledger.journal.wake = nil }
      office.onMain { main in
        Person.named("bob", in: main)
        main.processPendingChanges()
      }
    }
    gate.pass {
      office.onMain { $0.rollback() }
      LiveLists.on(office.coordinator).wake()
    }
    #expect(comesTrueSoon { numbers.withLock { $0.last } == 1 })
    task.cancel()
    try office.coordinator.close()
  }
}

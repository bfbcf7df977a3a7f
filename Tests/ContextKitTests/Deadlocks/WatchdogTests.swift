import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

/// A recipe that hangs must be told with who waits for whom, and where every thread is.
@Suite(.againstHanging, .serialized) struct WatchdogTests {
  /// ThreadSanitizer holds a signal back until the thread calls something that it knows.
  private static let mayInterrupt = !Sanitizer.isThread

  @Test(.enabled(if: mayInterrupt, "ThreadSanitizer holds signals back"))
  func `a hang is reported with the waits and the stack of every thread`() async throws {
    let kit = try Kit()
    let gate = DispatchSemaphore(value: 0)
    let hang = await #expect(throws: Hang.self) {
      // For the first second a thread waits in a function of dispatch that no unwinder leaves.
      try await finishes(within: 1.5) {
        let isHeld = DispatchSemaphore(value: 0)
        kit.root.perform { _ in
          isHeld.signal()
          standStill(gate)
        }
        isHeld.wait()
        waitForTheRoot(kit)
      }
    }
    gate.signal()
    let report = try #require(hang?.description)
    #expect(report.contains("a hang is reported with the waits and the stack of every thread"))
    #expect(report.contains("waits for a context that thread"))
    // The thread that waits, and the one that it waits for.
    #expect(report.contains("waitForTheRoot"))
    #expect(report.contains("ManagedObjectContext.performAndWait"))
    #expect(report.contains("standStill"))
    // Let the two threads end before the stack goes away.
    kit.root.drain()
  }
}

/// Two functions that are to be found in the report.
@inline(never) private func standStill(_ gate: DispatchSemaphore) {
  gate.wait()
  withExtendedLifetime(gate) {}
}

@inline(never) private func waitForTheRoot(_ kit: Kit) {
  kit.root.performAndWait { _ in }
  withExtendedLifetime(kit) {}
}

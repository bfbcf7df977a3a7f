import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

// The recipes that people reported against Core Data and its helpers: each has frozen an app.

/// The main queue takes part in the wait.
@Suite(.againstHanging, .serialized) struct MainThreadDeadlockTests {
  @Test func `main waits for a private context whose block saves through main to the store`()
    async throws
  {
    let kit = try Kit()
    try await finishes {
      try kit.onMain { _ in
        let child = kit.child()
        try child.performAndWait { local in
          Account.named("a", in: local.context)
          try local.context.saveAndWait(toPersistentStore: true)
        }
        #expect(try Account.owners(in: kit.mainContext) == ["a"])
      }
      #expect(try kit.stored() == ["a"])
    }
  }

  @Test func `main waits for a context that another thread has while that one saves through main`()
    async throws
  {
    let kit = try Kit()
    let child = kit.child()
    try await finishes {
      let isInside = DispatchSemaphore(value: 0)
      let isOver = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        try? child.performAndWait { local in
          Account.named("a", in: local.context)
          isInside.signal()
          // By now main waits for this context; the save needs main.
          usleep(50_000)
          try local.context.saveAndWait(toPersistentStore: true)
        }
        isOver.signal()
      }
      isInside.wait()
      let seen = try kit.onMain { _ in
        try child.performAndWait { try Account.owners(in: $0) }
      }
      #expect(seen == ["a"])
      isOver.wait()
      #expect(try kit.stored() == ["a"])
    }
  }

  @Test func `two children of main save while main saves`() async throws {
    let kit = try Kit()
    try await finishes {
      onThreads(3) { number in
        if number == 0 {
          kit.onMain { main in
            Account.named("main", in: main)
            _ = try? main.saveAndWait(toPersistentStore: true)
          }
        } else {
          let child = kit.child()
          child.add("child \(number)")
          _ = try? child.saveAndWait(toPersistentStore: true)
        }
      }
      let stored = try kit.stored()
      #expect(stored == ["child 1", "child 2", "main"])
    }
  }

  @Test func `a child fetches and saves while main is blocked by a semaphore`() async throws {
    let kit = try Kit()
    try kit.store("a")
    try await finishes {
      let isDone = DispatchSemaphore(value: 0)
      kit.main.async { isDone.wait() }
      let child = kit.child()
      try child.performAndWait { local in
        #expect(try Account.owners(in: local) == ["a"])
        Account.named("b", in: local.context)
        // The parent's queue stands still; the push and the fetch of a sibling do not need it.
        try local.save()
      }
      let other = kit.child("other")
      #expect(try other.performAndWait { try Account.owners(in: $0) } == ["a", "b"])
      isDone.signal()
      #expect(try kit.onMain { try Account.owners(in: $0) } == ["a", "b"])
    }
  }

  @Test func `main waits for a, which waits for b, which waits for main`() async throws {
    let kit = try Kit()
    let (a, b) = (kit.child("a"), kit.child("b"))
    try await finishes {
      let owners = try kit.onMain { _ in
        try a.performAndWait { _ in
          try b.performAndWait { _ in
            try kit.mainContext.performAndWait { main in
              Account.named("deep", in: main.context)
              return try Account.owners(in: main)
            }
          }
        }
      }
      #expect(owners == ["deep"])
    }
  }

  @Test func `a chain of five levels is saved from another thread while main works`() async throws {
    let kit = try Kit()
    try await finishes {
      let isBusy = Flag()
      kit.main.async { kit.work(while: isBusy) }
      var deepest = kit.mainContext
      for level in 3...5 { deepest = kit.child("level \(level)", of: deepest) }
      deepest.add("deep")
      try deepest.saveAndWait(toPersistentStore: true)
      isBusy.lower()
      #expect(try kit.stored().contains("deep"))
    }
  }

  @Test func `main blocks with a save block inside a save block`() async throws {
    let kit = try Kit()
    try await finishes {
      try kit.onMain { _ in
        try kit.stack.saveAndWait { outer in
          Account.named("outer", in: outer.context)
          try kit.stack.saveAndWait { inner in
            _ = Account.named("inner", in: inner.context)
          }
        }
        #expect(try Account.owners(in: kit.mainContext) == ["inner", "outer"])
      }
      #expect(try kit.stored() == ["inner", "outer"])
    }
  }
}

extension Kit {
  /// Keeps the main queue busy with short turns of its own.
  fileprivate func work(while flag: Flag) {
    guard flag.isUp else { return }
    mainContext.performAndWait { _ = try? Account.owners(in: $0) }
    main.async { work(while: flag) }
  }
}

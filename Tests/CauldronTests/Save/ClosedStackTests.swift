import Cauldron
import CauldronModel
import Dispatch
import Foundation
import Logging
import TestSupport
import Testing

/// An orderly end loses nothing that was saved, and writes nothing that was not.
@Suite(.againstHanging, .ownThread) struct ClosedStackTests {
  /// The warnings of a closing stack.
  private func warnings(_ bench: Bench) -> [String] {
    bench.log.messages(.warning).filter { $0.hasPrefix("Closing store.sqlite loses") }
  }

  /// The people whom a new stack finds in the file.
  private func reopened(_ bench: Bench) throws -> [String] {
    let again = try bench.reopened()
    defer { try? again.stack.close() }
    return try Person.names(in: again.committed())
  }

  @Test(arguments: StackLayout.allCases, [false, true])
  func `what the main context has saved is written, and what it has not is counted`(
    _ layout: StackLayout, _ isOnMain: Bool
  ) throws {
    let bench = try Bench(.file) { $0.layout = layout }
    try bench.onMain { main in
      Person.named("saved", in: main)
      try main.save()
      Person.named("unsaved", in: main)
      Person.named("too", in: main)
      if isOnMain { try bench.stack.close() } else { main.processPendingChanges() }
    }
    #expect(try reopened(bench) == ["saved"])
    #expect(
      warnings(bench) == [
        "Closing store.sqlite loses 2 unsaved changes of \"Default Context\" (2)."
          + " Save before the stack is closed."
      ])
  }

  @Test(arguments: StackLayout.allCases)
  func `what descendants have saved is written from every level`(_ layout: StackLayout) throws {
    let bench = try Bench(.file) { $0.layout = layout }
    bench.onMain { main in
      Person.named("own", in: main)
      main.processPendingChanges()
    }
    let middle = bench.child("Middle", of: bench.mainContext)
    let (low, other) = (bench.child("Low", of: middle), bench.child("Other", of: middle))
    let side = bench.child("Side", of: bench.mainContext)
    for (context, name) in [(low, "a"), (other, "b"), (side, "c")] {
      Person.named(name, in: context)
      try context.save()
    }
    Person.named("middle", in: middle)
    Person.named("low", in: low)
    try bench.stack.close()
    #expect(try reopened(bench) == ["a", "b", "c"])
    #expect(
      warnings(bench) == [
        "Closing store.sqlite loses 3 unsaved changes of \"Default Context\" (1), \"Low\" (1),"
          + " \"Middle\" (1). Save before the stack is closed."
      ])
    withExtendedLifetime((low, middle, other, side)) {}
  }

  @Test func `a change, a deletion and a reference that were saved are written`() throws {
    let bench = try Bench(.file)
    let child = bench.child("Child", of: bench.mainContext)
    let firm = Company.named("firm", in: child)
    let (ann, bob) = (Person.named("ann", in: child), Person.named("bob", in: child))
    try child.saveAndWait(toPersistentStore: true)
    ann.employer = firm
    ann.age = 7
    bob.delete()
    try child.save()
    try bench.stack.close()
    #expect(warnings(bench).isEmpty)
    let again = try bench.reopened()
    let found = try Person.findAll(in: again.committed())
    #expect(found.map(\.name) == ["ann"] && found[0].age == 7 && found[0].employer?.name == "firm")
    try again.stack.close()
  }

  @Test(arguments: StackLayout.allCases)
  func `what builds on unsaved edits is not written, and nothing else is held up by it`(
    _ layout: StackLayout
  ) throws {
    let bench = try Bench(.file) { $0.layout = layout }
    let old = bench.child("Old", of: bench.mainContext)
    let bob = Person.named("bob", age: 1, in: old)
    try old.save()
    _ = try bench.onMain { try $0.saveAndWait(toPersistentStore: true) }
    let id = try bench.onMain { main in
      let firm = Company.named("firm", in: main)
      try #require(try Person.findFirst(in: main)).age = 2
      main.processPendingChanges()
      return firm.objectID
    }
    let child = bench.child("Child", of: bench.mainContext)
    let ann = Person.named("ann", in: child)
    ann.employer = try child.existingObject(with: id) as? Company
    try child.save()
    let second = bench.child("Second", of: bench.mainContext)
    try #require(try Person.findFirst(where: \.name == "bob", in: second)).age = 3
    try second.save()
    let free = bench.child("Free", of: bench.mainContext)
    try #require(try Person.findFirst(where: \.name == "bob", in: free)).email = "b@b"
    try free.save()
    try bench.stack.close()
    let lost = warnings(bench)
    #expect(lost.count == 2)
    #expect(
      lost.first?.hasPrefix(
        "Closing store.sqlite loses 2 saved changes of \"Child\" (1), \"Second\" (1): Cannot save")
        == true)
    #expect(lost.last?.contains("2 unsaved changes of \"Default Context\" (2)") == true)
    let again = try bench.reopened()
    let found = try Person.findAll(in: again.committed())
    #expect(found.map(\.name) == ["bob"] && found[0].age == 1 && found[0].email == "b@b")
    #expect(try Company.count(in: again.committed()) == 0)
    try again.stack.close()
    #expect(bob.name == "bob")
  }

  enum Refusal: CaseIterable { case fullDisk, lockedStore, readOnly, conflict }

  @Test(arguments: Refusal.allCases)
  func `a store that refuses what was saved is closed all the same`(_ refusal: Refusal) throws {
    let first = try Bench(.file)
    let maker = first.child()
    Person.named("ann", age: 1, in: maker)
    try maker.saveAndWait(toPersistentStore: true)
    let bench = try first.reopened {
      $0.busyTimeout = 0.05
      if refusal == .fullDisk { $0.maxPageCount = 40 }
      if refusal == .readOnly { $0.readOnly = true }
    }
    let child = bench.child("Child", of: bench.mainContext)
    try #require(try Person.findFirst(in: child)).age = 2
    if refusal == .fullDisk {
      for _ in 0..<100 { Person.named(String(repeating: "x", count: 5_000), in: child) }
    }
    try child.save()
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    if refusal == .lockedStore { #expect(other.run("BEGIN IMMEDIATE")) }
    if refusal == .conflict {
      let sibling = bench.committed()
      try #require(try Person.findFirst(in: sibling)).age = 3
      try sibling.save()
    }
    try bench.stack.close()
    other.run("ROLLBACK")
    let count = refusal == .fullDisk ? "101 saved changes" : "1 saved change"
    #expect(warnings(bench).count == 1)
    #expect(
      warnings(bench).first?.hasPrefix("Closing store.sqlite loses \(count) of \"Child\"") == true)
    let again = try first.reopened()
    let found = try Person.findAll(in: again.committed())
    #expect(found.map(\.age) == [refusal == .conflict ? 3 : 1])
    try again.stack.close()
  }

  @Test func `a locked store keeps closing no longer than a save waits for the lock`() throws {
    let bench = try Bench(.file) { $0.busyTimeout = 10 * slack }
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    let child = bench.child()
    Person.named("ann", in: child)
    _ = Company.named("firm", in: child)
    try child.saveAndWait(toPersistentStore: true)
    #expect(other.run("BEGIN IMMEDIATE"))
    let begin = ContinuousClock.now
    try bench.stack.close()
    #expect(begin.duration(to: .now) < .seconds(8 * slack), "nothing had to be written")
    other.run("ROLLBACK")
    #expect(other.texts("SELECT ZNAME FROM ZPERSON") == ["ann"])
    #expect(warnings(bench).isEmpty)
  }

  @Test(arguments: [StackLayout.writerRoot, .siblings])
  func `what a locked store refuses is waited for once`(_ layout: StackLayout) throws {
    let bench = try Bench(.file) {
      $0.layout = layout
      $0.busyTimeout = 2 * slack
    }
    let parents = (0..<3).map { _ in bench.stack.newBackgroundContext() }
    let children = parents.map { bench.child("Child", of: $0) }
    for child in children {
      Person.named("ann", in: child)
      _ = Company.named("firm", in: child)
      try child.save()
    }
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    let begin = ContinuousClock.now
    try bench.stack.close()
    #expect(begin.duration(to: .now) < .seconds(3.8 * slack))
    other.run("ROLLBACK")
    #expect(warnings(bench).count == 1)
    #expect(
      warnings(bench).first?.contains("loses 6 saved changes of \"Child\" (6): Cannot save") == true
    )
  }

  @Test(arguments: StackLayout.allCases, [Refusal.fullDisk, .lockedStore])
  func `changes whose save has failed are lost with the reason`(
    _ layout: StackLayout, _ refusal: Refusal
  ) throws {
    let bench = try Bench(.file) {
      $0.layout = layout
      $0.busyTimeout = 0.05
      if refusal == .fullDisk { $0.maxPageCount = 40 }
    }
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    if refusal == .lockedStore { #expect(other.run("BEGIN IMMEDIATE")) }
    try bench.onMain { main in
      for _ in 0..<100 { Person.named(String(repeating: "x", count: 5_000), in: main) }
      #expect(cauldronError { try main.saveAndWait(toPersistentStore: true) } != nil)
      try bench.stack.close()
    }
    other.run("ROLLBACK")
    let reason =
      refusal == .fullDisk
      ? "Cannot save 100 changes to" : "Cannot save to"
    #expect(warnings(bench).count == 1)
    #expect(
      warnings(bench).first?.hasPrefix(
        "Closing store.sqlite loses 100 unsaved changes of \"Default Context\" (100), whose last save failed:"
          + " \(reason)") == true, "\(warnings(bench))")
  }

  @Test(arguments: [StackLayout.mainParent, .single])
  func `a context that has nothing to save is not told of as one that failed`(
    _ layout: StackLayout
  ) throws {
    let bench = try Bench(.file) {
      $0.layout = layout
      $0.busyTimeout = 0.05
    }
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    let error = cauldronError {
      try bench.stack.saveAndWait { local in _ = Person.named("block", in: local.context) }
    }
    #expect(error?.code == .storeBusy)
    other.run("ROLLBACK")
    bench.onMain { main in
      Person.named("late", in: main)
      main.processPendingChanges()
    }
    try bench.stack.close()
    #expect(
      warnings(bench).filter { $0.contains("Default Context") } == [
        "Closing store.sqlite loses 1 unsaved change of \"Default Context\" (1). Save before the stack is closed."
      ])
  }

  @Test func `a failure that was got over is no reason any more`() throws {
    let bench = try Bench(.file)
    let child = bench.child("Child", of: bench.mainContext)
    let ann = Person.create(in: child)
    #expect(cauldronError { try child.save() }?.code == .validationMissing)
    ann.name = "ann"
    try child.save()
    Person.named("bob", in: child)
    child.processPendingChanges()
    try bench.stack.close()
    #expect(
      warnings(bench) == [
        "Closing store.sqlite loses 1 unsaved change of \"Child\" (1). Save before the stack is closed."
      ])
    #expect(try reopened(bench) == ["ann"])
  }

  @Test func `a save that code refuses, or a level above, is the reason`() throws {
    let bench = try Bench(.file)
    let child = bench.child("Child", of: bench.mainContext)
    _ = Person.create(in: child)
    #expect(cauldronError { try child.save() }?.code == .validationMissing)
    bench.onMain { main in
      _ = Person.create(in: main)
      main.processPendingChanges()
    }
    let other = bench.child("Other", of: bench.mainContext)
    Person.named("bob", in: other)
    try other.saveAndWait(toPersistentStore: true)
    try bench.stack.close()
    #expect(
      warnings(bench) == [
        "Closing store.sqlite loses 2 unsaved changes of \"Child\" (1), \"Default Context\" (1), whose last"
          + " save failed: Person.name is required."
      ])
  }

  @Test func `a save whose queue stands still is written as far as it was handed on`() throws {
    let bench = try Bench(.file)
    let (gate, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    bench.main.async { gate.wait() }
    let child = bench.child("Child", of: bench.mainContext)
    Person.named("ann", in: child)
    let reports = Locked<[Bool]>([])
    child.save(toPersistentStore: true) { didSave, error in
      reports.withLock { $0.append(didSave && error == nil) }
      ended.signal()
    }
    // Accepted by the main context, whose queue the save waits for.
    child.drain()
    try bench.stack.close(patience: 0.2)
    gate.signal()
    ended.wait()
    #expect(reports.withLock { $0 } == [true])
    #expect(try reopened(bench) == ["ann"] && warnings(bench).isEmpty)
    #expect(bench.log.messages(.error).isEmpty)
  }

  @Test func `objects that were read, and lists of them, stay as they are`() throws {
    let bench = try Bench(.file)
    let child = bench.child("Child", of: bench.mainContext)
    let ann = Person.named("ann", age: 5, in: child)
    try child.save()
    let (mine, list) = try bench.onMain { main in
      let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: main)
      try list.performFetchAndWait()
      #expect(list.fetchedObjects?.first?.name == "ann")
      return (Lent(try #require(list.fetchedObjects?.first)), Lent(list))
    }
    try bench.stack.close()
    bench.settleMain()
    bench.onMain { main in
      let shown = mine.value
      #expect(shown.name == "ann" && shown.age == 5 && !shown.isDeleted)
      #expect(list.value.fetchedObjects?.map(\.name) == ["ann"])
      #expect(!main.hasChanges)
    }
    #expect(ann.name == "ann" && ann.age == 5 && !ann.isDeleted && !child.hasChanges)
    ann.name = "later"
    #expect(cauldronError { try child.save() }?.code == .stackClosed)
    #expect(bench.log.messages(.error).filter { !$0.contains("Could not save") }.isEmpty)
  }

  /// Carries what belongs to the main queue there.
  ///
  /// `@unchecked Sendable` because it is used there alone.
  private struct Lent<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  @Test func `a stack in memory and one with nothing to write are closed in silence`() throws {
    for kind in StoreKind.allCases {
      let bench = try Bench(kind)
      let child = bench.child("Child", of: bench.mainContext)
      Person.named("ann", in: child)
      if kind == .file { try child.saveAndWait(toPersistentStore: true) } else { try child.save() }
      let before = bench.log.messages().count
      try bench.stack.close()
      try bench.stack.close()
      #expect(bench.log.messages().count == before)
    }
  }

  @Test func `a context that is claimed elsewhere is not waited for`() throws {
    let bench = try Bench(.file)
    let claimed = bench.child("Claimed", of: bench.mainContext)
    Person.named("own", in: claimed)
    claimed.processPendingChanges()
    let low = bench.child("Low", of: claimed)
    Person.named("ann", in: low)
    try low.save()
    let ended = DispatchSemaphore(value: 0)
    let failed = Locked<[String]>([])
    Thread.detachNewThread {
      do { try bench.stack.close() } catch { failed.withLock { $0.append("\(error)") } }
      ended.signal()
    }
    ended.wait()
    #expect(failed.withLock { $0 }.isEmpty)
    #expect(try reopened(bench) == ["ann"])
    #expect(warnings(bench).count == 1 && claimed.hasChanges)
  }

  @Test func `cleanUp writes what was saved, in a script on the main thread`() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let directory = try TemporaryDirectory()
        let url = directory.file("people.sqlite")
        try setupStack(storeURL: url, model: Office.model())
        Person.named("jack", in: .default)
        try ManagedObjectContext.default.save()
        Person.named("unsaved", in: .default)
        try Stack.cleanUp()
        let stack = try setupStack(storeURL: url, model: Office.model())
        #expect(try Person.names(in: stack.defaultContext) == ["jack"])
        try Stack.cleanUp()
      }
    }
  }

  @Test func `a block whose save is asked for on the main actor before close is stored`() async {
    await #expect(processExitsWith: .success) {
      let task = Task { @MainActor in
        for _ in 1...20 {
          let directory = try TemporaryDirectory()
          let url = directory.file("people.sqlite")
          try setupStack(storeURL: url, model: Office.model())
          let saving = Task {
            try await Stack.default.save { context in Person.create(in: context).name = "jill" }
          }
          await Task.yield()
          try Stack.cleanUp()
          try await saving.value
          let stack = try setupStack(storeURL: url, model: Office.model())
          #expect(try Person.names(in: stack.defaultContext) == ["jill"])
          try Stack.cleanUp()
        }
      }
      try await task.value
    }
  }
}

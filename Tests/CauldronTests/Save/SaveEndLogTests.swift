import Cauldron
import CauldronGraph
import CauldronLedger
import Foundation
import Logging
import TestSupport
import Testing

/// One line tells that a save has ended well, and where the changes are now.
@Suite(.againstHanging) struct SaveEndLogTests {
  /// The lines about ends, without times.
  private func ends(_ bench: Bench) -> [String] {
    bench.log.messages().filter { $0.hasPrefix("✓") || $0.hasPrefix("↑") }
      .map { $0.replacing(#/ in [0-9.]+ m?s/#, with: "") }
  }

  private func place(_ kind: StoreKind) -> String {
    kind == .file ? "store.sqlite" : "the store in memory"
  }

  @Test(arguments: StoreKind.allCases)
  func `a save to the store says where, how much and how long`(_ kind: StoreKind) async throws {
    let bench = try Bench(kind)
    let context = bench.child("Import", of: bench.mainContext)
    for number in 0..<3 { Person.named("\(number)", in: context) }
    try await context.save(toPersistentStore: true)
    #expect(ends(bench) == ["✓ Saved to \(place(kind)): 3 inserted"])
    let line = try #require(bench.log.lines.last { $0.message.hasPrefix("✓") })
    #expect(line.level == .info && line.message.contains(#/ in [0-9.]+ ms$/#))
    #expect(line.metadata["inserted"] == "3" && line.metadata["updated"] == nil)
    #expect("\(line.metadata["at"] ?? "")".contains("SaveEndLogTests.swift:"))
    let save = bench.log.lines.first { $0.message.hasPrefix("→") }?.metadata["save"]
    #expect(save != nil && line.metadata["save"] == save && line.metadata["name"] == nil)
    #expect("\(line.metadata["took"] ?? "")".hasSuffix(" ms"))
  }

  @Test func `the line is told before the completion is called`() async throws {
    let bench = try Bench(.file)
    let context = bench.child("Import", of: bench.mainContext)
    Person.named("a", in: context)
    let told = await withCheckedContinuation { done in
      context.save(toPersistentStore: true) { didSave, _ in
        done.resume(returning: didSave ? ends(bench) : [])
      }
    }
    #expect(told == ["✓ Saved to store.sqlite: 1 inserted"])
  }

  @Test func `saves that wait, blocks and options tell it, too`() async throws {
    let bench = try Bench(.file)
    try await onGlobalQueue {
      try bench.stack.saveAndWait { _ = Person.named("a", age: 1, in: $0.context) }
    }
    try await bench.stack.save(named: "Second") { context in
      try Person.findFirst(in: context)?.age = 2
      Person.named("b", in: context.context)
    }
    try await bench.root.perform { context in
      for person in try Person.findAll(in: context) { person.delete() }
      try context.save()
    }
    #expect(
      ends(bench) == [
        "✓ Saved to store.sqlite: 1 inserted", "✓ Saved to store.sqlite: 1 inserted, 1 updated",
        "✓ Saved to store.sqlite: 2 deleted",
      ])
    let named = bench.log.lines.filter { $0.message.hasPrefix("✓") }[1]
    #expect(named.metadata["name"] == "Second")
  }

  @Test func `the time of a block is not that of its save`() async throws {
    let bench = try Bench()
    try await bench.stack.save { context in
      usleep(300_000)
      Person.named("a", in: context.context)
    }
    let line = try #require(bench.log.lines.last { $0.message.hasPrefix("✓") })
    let took = try #require(Double("\(line.metadata["took"] ?? "")".dropLast(3)))
    #expect(took > 0 && took < 300)
  }

  @Test(arguments: StoreKind.allCases)
  func `a plain save says that its changes are not in the store yet`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child("Edits", of: bench.mainContext)
    Person.named("a", in: context)
    try context.save()
    let yet = kind == .file ? "on disk" : "in the store"
    var expected = ["↑ Saved into Default Context, not yet \(yet): 1 inserted"]
    #expect(ends(bench) == expected)
    try bench.onMain { _ = try $0.saveAndWait(toPersistentStore: false) }
    expected.append("↑ Saved into Root Saving Context, not yet \(yet): 1 inserted")
    #expect(ends(bench) == expected)
    try bench.root.performAndWait { try $0.save() }
    expected.append("✓ Saved to \(place(kind)): 1 inserted")
    #expect(ends(bench) == expected)
  }

  @Test func `an object that waits with several changes is counted once`() throws {
    let bench = try Bench(.file)
    let maker = bench.child("Maker")
    let id = Person.named("a", age: 1, in: maker).objectID
    try maker.save()
    let editor = bench.child("Editor")
    try Person.find(id, in: editor)?.age = 2
    try editor.save()
    let before = ends(bench).count
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(ends(bench).dropFirst(before) == ["✓ Saved to store.sqlite: 1 inserted"])
  }

  @Test func `nothing to save, and a refused save, have no such line`() async throws {
    let bench = try Bench(.file)
    let context = bench.child("Child", of: bench.mainContext)
    try await context.save(toPersistentStore: true)
    try await context.save()
    let nameless = Person.create(in: context)
    await #expect(throws: CauldronError.self) { try await context.save(toPersistentStore: true) }
    #expect(throws: CauldronError.self) { try context.save() }
    #expect(ends(bench).isEmpty && bench.log.messages(.error).count == 2)
    nameless.name = "x"
    try await context.save(toPersistentStore: true)
    #expect(ends(bench) == ["✓ Saved to store.sqlite: 1 inserted"])
  }

  @Test func `a save that the store refuses has none at any level`() async throws {
    let bench = try Bench(.file)
    let first = bench.child("First")
    Person.named("a", in: first).email = "same"
    try await first.save(toPersistentStore: true)
    let second = bench.child("Second", of: bench.mainContext)
    Person.named("b", in: second).email = "same"
    await #expect(throws: CauldronError.self) { try await second.save(toPersistentStore: true) }
    #expect(ends(bench).count == 1 && bench.log.messages(.error).count == 1)
  }

  @Test func `a save that leaves another level's edits behind counts what it has written`()
    async throws
  {
    let bench = try Bench(.file)
    bench.onMain { _ = Person.create(in: $0) }
    let context = bench.child("Child", of: bench.mainContext)
    Person.named("good", in: context)
    try await context.save(toPersistentStore: true)
    #expect(ends(bench) == ["✓ Saved to store.sqlite: 1 inserted"])
    #expect(bench.log.messages(.warning).contains { $0.contains("stay unsaved") })
  }

  @Test func `changes of an earlier save that were refused are told`() throws {
    let bench = try Bench(.file)
    let id = try bench.stack.saveAndWait { Person.named("jack", age: 1, in: $0.context).objectID }
    let session = bench.child("Session", of: bench.mainContext)
    try Person.find(id, in: session)?.age = 33
    try session.save()
    try bench.stack.saveAndWait { try Person.find(id, in: $0)?.age = 8 }
    bench.onMain { _ = Person.named("jill", in: $0) }
    _ = try bench.mainContext.saveAndWait(toPersistentStore: true)
    let line = try #require(ends(bench).last)
    #expect(line == "✓ Saved to store.sqlite: 1 inserted; changes of 1 earlier save were refused")
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyObjectTrump, "1 updated"), (.rollback, "nothing to write"),
  ])
  func `what a merge policy has made of the changes is counted`(
    _ policy: MergePolicy, _ what: String
  ) async throws {
    let bench = try Bench(.file)
    let id = try await bench.stack.save { Person.named("jack", age: 1, in: $0.context).objectID }
    let mine = bench.child("Mine")
    try Person.find(id, in: mine)?.age = 2
    try await bench.stack.save { try Person.find(id, in: $0)?.age = 3 }
    try await mine.save(toPersistentStore: true, mergePolicy: policy)
    #expect(ends(bench).last == "✓ Saved to store.sqlite: \(what)")
  }

  @Test func `a new object that becomes one of the store is counted as updated`() async throws {
    let bench = try Bench(.file)
    try await bench.stack.save { Person.named("a", age: 1, in: $0.context).email = "same" }
    let second = bench.child("Second")
    let person = Person.named("b", age: 2, in: second)
    person.email = "same"
    try await second.save(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(ends(bench).last == "✓ Saved to store.sqlite: 1 updated")
  }

  @Test func `changes that another save has carried to the store name it`() throws {
    let bench = try Bench(.file)
    let context = bench.child("Child")
    Person.named("a", in: context)
    let (mayGo, hasSaved) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    bench.root.perform { root in
      mayGo.wait()
      try? root.context.save()
      hasSaved.signal()
    }
    context.save(toPersistentStore: true) { _, _ in hasSaved.signal() }
    mayGo.signal()
    hasSaved.wait()
    hasSaved.wait()
    let saves = bench.log.lines.filter { $0.message.hasPrefix("✓") }
    try #require(saves.count == 2)
    let carrier = "\(saves[0].metadata["save"] ?? "")"
    #expect(
      ends(bench) == [
        "✓ Saved to store.sqlite: 1 inserted",
        "✓ Saved to store.sqlite by save \(carrier): 1 inserted",
      ])
    #expect(saves[1].metadata["carrier"] == "\(carrier)")
    #expect(saves[1].metadata["save"] != saves[0].metadata["save"])
  }

  @Test func `each stack names its own file`() throws {
    let log = LogCapture(.info)
    let directory = try TemporaryDirectory()
    for name in ["cats.sqlite", "dogs.sqlite"] {
      var configuration = StackConfiguration()
      configuration.logger = log.logger
      let stack = try Stack(
        storeURL: directory.file(name), model: Office.model(), configuration: configuration)
      try stack.saveAndWait { _ = Person.named("x", in: $0.context) }
      try stack.close()
    }
    let ends = log.messages().filter { $0.hasPrefix("✓") }
    #expect(ends.count == 2)
    #expect(ends[0].hasPrefix("✓ Saved to cats.sqlite: 1 inserted in "))
    #expect(ends[1].hasPrefix("✓ Saved to dogs.sqlite: 1 inserted in "))
  }

  @Test func `an import tells each of its saves, and a batch its own line`() async throws {
    let bench = try Bench(.file)
    let json = Data(#"[{"name": "a"}, {"name": "b"}]"#.utf8)
    let report = try await bench.stack.importJSON(json, asEntityNamed: "Company")
    #expect(report.created == 2)
    #expect(ends(bench) == ["✓ Saved to store.sqlite: 2 inserted"])
    let imported = try #require(bench.log.lines.last { $0.message.hasPrefix("Imported") })
    #expect(imported.metadata["created"] == "2" && imported.metadata["updated"] == nil)
    let summary = try await Company.where(\.name == "a").batchUpdate(in: bench.stack) {
      $0.name.set("c")
    }
    #expect(summary.updated == 1 && ends(bench).count == 1)
    let batch = try #require(bench.log.lines.last { $0.message.hasPrefix("→ Batch") })
    #expect(batch.message == "→ Batch update of Company: 1 updated")
    #expect(batch.metadata["updated"] == "1" && batch.metadata["inserted"] == nil)
    #expect(batch.metadata["links"] == nil && batch.metadata["entity"] == "Company")
  }

  @Test func `a close waits for the line of a save that was asked for before`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    Person.named("a", in: context)
    context.save(toPersistentStore: true, completion: nil)
    try bench.stack.close()
    #expect(ends(bench) == ["✓ Saved to store.sqlite: 1 inserted"])
  }

  @Test func `times are told in few digits`() {
    let texts = [0.004, 0.42, 0.999, 6.4, 999.6, 12_345].map(SaveRun.text)
    #expect(texts == ["0.01 ms", "0.42 ms", "1.0 ms", "6 ms", "1000 ms", "12.3 s"])
  }
}

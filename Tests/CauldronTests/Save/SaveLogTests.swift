import Cauldron
import Foundation
import Logging
import TestSupport
import Testing

@Suite(.againstHanging) struct SaveLogTests {
  private func arrows(_ bench: Bench) -> [String] {
    bench.log.messages().filter { $0.hasPrefix("→") }
  }

  @Test func `each level is logged in order, and how it was made`() async throws {
    let bench = try Bench()
    let context = ManagedObjectContext.contextWithParent(bench.mainContext)
    Person.named("jack", in: context)
    try await context.save(toPersistentStore: true)
    #expect(
      bench.log.messages().dropLast() == [
        "Created new private queue context: \(context)",
        "→ Saving \(context) on a background thread",
        "→ Saving \(bench.mainContext) on the main thread",
        "→ Saving \(bench.root) on a background thread",
      ])
    #expect(
      bench.log.messages().last?.hasPrefix("✓ Saved to the store in memory: 1 inserted in ") == true
    )
    #expect("\(context)".hasPrefix("<ManagedObjectContext (0x"))
    #expect("\(context)".hasSuffix("): Untitled Context>"))
    #expect("\(bench.mainContext)".hasSuffix("): Default Context>"))
    #expect("\(bench.root)".hasSuffix("): Root Saving Context>"))
  }

  @Test func `the lines of an import name the line of the program that asked for it`() async throws
  {
    let bench = try Glossary.bench()
    try Remark.importFrom([["text": "a"]], in: bench.child())
    try await bench.stack.importJSON(Data(#"[{"text": "b"}]"#.utf8), as: Remark.self)
    let lines = bench.log.lines.filter { $0.message.hasPrefix("→") }
    #expect(lines.count >= 3)
    #expect(lines.allSatisfy { "\($0.metadata["at"] ?? "")".contains("SaveLogTests.swift:") })
  }

  @Test func `the log's metadata tell what happened`() async throws {
    let bench = try Bench()
    let context = bench.child("Import", of: bench.mainContext)
    let jack = Person.named("jack", in: context)
    try await context.save(toPersistentStore: true)
    let lines = bench.log.lines.filter { $0.message.hasPrefix("→") }
    #expect(lines.map { $0.metadata["step"] } == ["1/3", "2/3", "3/3"])
    #expect(Set(lines.map { "\($0.metadata["save"] ?? "")" }).count == 1)
    #expect(lines.map { $0.metadata["queue"] } == ["private", "main", "private"])
    #expect(
      lines.map { $0.metadata["context"] } == ["Import", "Default Context", "Root Saving Context"])
    #expect(lines.allSatisfy { $0.metadata["inserted"] == "1" && $0.metadata["updated"] == nil })
    #expect(lines.allSatisfy { $0.metadata["deleted"] == nil && $0.metadata["thread"] != nil })
    #expect(lines.allSatisfy { $0.metadata["waited"] != nil && $0.metadata["links"] == nil })
    #expect(lines.allSatisfy { $0.metadata["name"] == nil })
    #expect(lines.allSatisfy { "\($0.metadata["at"] ?? "")".contains("SaveLogTests.swift:") })
    let written = bench.log.lines.filter { $0.message.hasPrefix("Saved ") }
    #expect(written.count == 3 && written.allSatisfy { $0.metadata["worked"] != nil })
    #expect(written.last?.metadata["rows"] == "1")
    // The store in memory runs none.
    #expect(written.last?.metadata["statements"] == nil)
    _ = jack
  }

  @Test(arguments: StoreKind.allCases)
  func `an object that is created and then changed counts once`(_ kind: StoreKind) async throws {
    let bench = try Bench(kind)
    let middle = bench.child("Middle", of: bench.mainContext)
    let low = bench.child("Low", of: middle)
    let jack = Person.named("jack", in: low)
    Person.named("jill", in: low)
    try await low.save()
    for age in 1...2 {
      jack.age = age
      try await low.save()
    }
    let outcome = try await middle.save(toPersistentStore: true)
    guard case .saved(let summary) = outcome else { return #expect(Bool(false)) }
    #expect(summary.inserted == 2 && summary.updated == 0 && summary.deleted == 0)
    let lines = bench.log.lines.filter { $0.metadata["context"] != "Low" }
    let arrows = lines.filter { $0.message.hasPrefix("→") }
    #expect(arrows.map { $0.metadata["inserted"] } == ["2", "2", "2"])
    #expect(arrows.allSatisfy { $0.metadata["updated"] == nil })
    let saved = lines.filter { $0.message.hasPrefix("Saved <") }
    #expect(saved.count == 3 && saved.allSatisfy { $0.metadata["updated"] == nil })
    #expect(bench.log.messages().last?.contains(": 2 inserted in ") == true)
  }

  @Test func `levels without changes are passed silently`() async throws {
    let bench = try Bench()
    bench.onMain { _ = Person.named("jack", in: $0) }
    let context = bench.child("Empty", of: bench.mainContext)
    let outcome = try await context.save(toPersistentStore: true)
    #expect(
      arrows(bench) == [
        "→ Saving \(bench.mainContext) on the main thread",
        "→ Saving \(bench.root) on a background thread",
      ])
    #expect(outcome != .noChanges)
    let again = try await context.save(toPersistentStore: true)
    #expect(again == .noChanges && arrows(bench).count == 2)
  }

  @Test func `a save of one level logs its step, and that it is not in the store`() throws {
    let bench = try Bench()
    let context = bench.child()
    Person.named("jack", in: context)
    try context.save()
    #expect(arrows(bench) == ["→ Saving \(context) on a background thread"])
    #expect(bench.log.lines.last { $0.message.hasPrefix("→") }?.metadata["step"] == "1/1")
    let end = "↑ Saved into Root Saving Context, not yet in the store: 1 inserted"
    #expect(bench.log.messages().last == end)
  }

  @Test func `saveAndWait on the main queue saves every level on the main thread`() throws {
    let bench = try Bench()
    try bench.onMain { context in
      Person.named("jack", in: context)
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(
      arrows(bench) == [
        "→ Saving \(bench.mainContext) on the main thread",
        "→ Saving \(bench.root) on the main thread",
      ])
  }

  @Test func `a failure is logged with its reason`() throws {
    let bench = try Bench()
    let context = bench.child()
    _ = Person.create(in: context)
    _ = cauldronError { try context.save() }
    #expect(
      bench.log.messages(.error)
        == ["Could not save \(context): Person.name is required."])
  }
}

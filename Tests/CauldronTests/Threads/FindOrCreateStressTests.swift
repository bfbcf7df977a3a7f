import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// A thousand names, asked for by many at once, are a thousand rows.
@Suite(.againstHanging, .ownThread) struct FindOrCreateStressTests {
  private static let names = 1_000

  /// Asks for all names in a context, in an order of its own; answers the ID that each got.
  private static func ask(
    _ context: ManagedObjectContext, seed: UInt64, savingEvery count: Int
  ) throws -> [String: ManagedObjectID] {
    var generator = SeededGenerator(seed: seed)
    var ids: [String: ManagedObjectID] = [:]
    for (index, name) in (0..<names).map({ "n\($0)" }).shuffled(using: &generator).enumerated() {
      ids[name] = try Keyword.findOrCreate(\.name, name, in: context).objectID
      if index % count == count - 1 { try context.saveAndWait(toPersistentStore: true) }
    }
    try context.saveAndWait(toPersistentStore: true)
    return ids
  }

  @Test(arguments: StoreKind.allCases)
  func `eight contexts on eight threads`(_ kind: StoreKind) throws {
    let bench = try Glossary.bench(kind)
    let results = Locked<[[String: ManagedObjectID]]>([])
    let failures = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      do {
        let context = bench.child("\(worker)")
        let ids = try Self.ask(context, seed: UInt64(worker), savingEvery: 50 + worker * 40)
        results.withLock { $0.append(ids) }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let stored = try Keyword.findAll(in: bench.committed())
    #expect(stored.count == Self.names)
    let byName = Dictionary(stored.map { ($0.name ?? "", $0.objectID) }) { first, _ in first }
    let all = results.withLock { $0 }
    #expect(all.count == 8)
    for ids in all { #expect(ids == byName) }
  }

  @Test func `two coordinators with four contexts each, as two processes`() throws {
    let bench = try Glossary.bench(.file)
    let store = bench.stack.coordinator.store
    let model = bench.stack.coordinator.managedObjectModel
    let coordinators = (0..<2).map { _ in
      PersistentStoreCoordinator(
        model: model, store: store, storeNumber: StoreNumbers.next(), logger: bench.log.logger)
    }
    let failures = Locked<[String]>([])
    let shown = Locked<[[String: String]]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      do {
        let root = ManagedObjectContext(
          .private, coordinator: coordinators[worker % 2], name: "Root \(worker)")
        let context = ManagedObjectContext(.private, parent: root, name: "\(worker)")
        let ids = try Self.ask(context, seed: UInt64(worker), savingEvery: 30 + worker * 20)
        shown.withLock { $0.append(ids.mapValues(\.path)) }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let stored = try Keyword.findAll(in: bench.committed())
    #expect(stored.count == Self.names)
    let byName = Dictionary(stored.map { ($0.name ?? "", $0.objectID.path) }) { first, _ in first }
    for ids in shown.withLock({ $0 }) { #expect(ids == byName) }
  }

  @Test func `contexts that discard lose nothing that others have saved`() throws {
    let bench = try Glossary.bench(.file)
    let saved = Locked<Set<String>>([])
    let failures = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { worker in
      var generator = SeededGenerator(seed: UInt64(worker))
      for _ in 0..<40 {
        let context = bench.child()
        let names = (0..<10).map { _ in "n\(Int.random(in: 0..<200, using: &generator))" }
        do {
          for name in names { _ = try Keyword.findOrCreate(\.name, name, in: context) }
          guard Bool.random(using: &generator) else { continue }
          try context.saveAndWait(toPersistentStore: true)
          saved.withLock { $0.formUnion(names) }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let stored = try Keyword.findAll(in: bench.committed()).compactMap(\.name)
    #expect(stored.count == Set(stored).count)
    #expect(Set(stored) == saved.withLock { $0 })
  }
}

extension ManagedObjectID {
  /// The ID as all coordinators of a store spell it.
  fileprivate var path: String { "\(entityName)\(uriRepresentation.lastPathComponent)" }
}

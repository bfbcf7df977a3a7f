import Cauldron
import Foundation

/// Creates and saves items, in a store of its own for each run, several times where one time is
/// too short for the clock.
struct InsertLanes {
  let count: Int
  let repetitions: Int
  let batches: [[ItemValues]]

  init(_ count: Int) {
    self.count = count
    repetitions = count < 10_000 ? max(1, 2_000 / count) : 1
    batches = (0..<repetitions).map { ItemValues.make(count, from: $0 * count) }
  }

  /// Ours through a chain of some depth: 1 is a single context on the coordinator, 3 is child,
  /// main and root.
  func ours<Key: Hashable>(_ key: Key, _ makeLeaf: @escaping (Stack) -> Leaf) -> Lane<Key> {
    Lane(key) {
      let url = try Scratch.file()
      defer { Scratch.remove(url) }
      let stack = try OurStack.open(url)
      let sample = try measure {
        for batch in batches {
          let leaf = makeLeaf(stack)
          Item.create(batch, in: leaf.context)
          try leaf.context.saveAndWait(toPersistentStore: true)
        }
      }
      try stack.close()
      return sample.divided(by: repetitions)
    }
  }

  var raw: Lane<Contender> {
    raw(.raw) { database in
      let statement = try database.prepare(RawItems.insertion)
      return { try RawItems.insert($0, statement) }
    }
  }

  /// The C API with many rows in one statement, which somebody who writes for this one table can do.
  var rawBatches: Lane<Contender> {
    raw(.base) { database in try RawBatchInsertion(database).insert }
  }

  /// - Parameter prepare: Makes what inserts the items of a batch; that is timed, too.
  private func raw(
    _ key: Contender, _ prepare: @escaping (RawDatabase) throws -> ([ItemValues]) throws -> Void
  ) -> Lane<Contender> {
    Lane(key) {
      let url = try Scratch.file()
      defer { Scratch.remove(url) }
      let database = try RawDatabase(url)
      try database.execute(RawItems.schema)
      let sample = try measure {
        let insert = try prepare(database)
        for batch in batches { try insert(batch) }
      }
      return sample.divided(by: repetitions)
    }
  }

  var cached: Lane<Contender> { records(.cached) { try Records.insertCached($0, $1) } }

  var grdb: Lane<Contender> { records(.grdb) { try Records.insert($0, $1) } }

  var codable: Lane<Contender> { records(.codable) { try Records.insertCodable($0, $1) } }
}

/// The context that items are created in, and those between it and the store.
struct Leaf {
  let context: ManagedObjectContext
  private let others: [ManagedObjectContext]

  /// A child of the main context.
  static func chain(_ stack: Stack) -> Leaf { Leaf(context: stack.child(), others: []) }

  /// At the end of a chain of private contexts.
  static func chain(depth: Int) -> (Stack) -> Leaf {
    { stack in
      var context = ManagedObjectContext(.private, coordinator: stack.coordinator)
      var others: [ManagedObjectContext] = []
      for _ in 1..<depth {
        others.append(context)
        context = ManagedObjectContext(.private, parent: context)
      }
      return Leaf(context: context, others: others)
    }
  }
}

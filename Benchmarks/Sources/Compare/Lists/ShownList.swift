import Cauldron
import Dispatch
import Foundation

/// A list of the default context, and somebody who is told of each change of it.
final class ShownList {
  private let stack: Stack
  private let list: FetchedResultsController<Item>
  private let told = DispatchSemaphore(value: 0)
  private var observation: FetchedResultsObservation?

  /// Every item by name, fetched.
  init(_ stack: Stack) throws {
    self.stack = stack
    let list = FetchedResultsController(
      ObjectQuery<Item>().sorted(by: \.name), in: stack.defaultContext)
    self.list = list
    try DispatchQueue.main.sync { try list.performFetchAndWait() }
    let told = told
    observation = list.observe { _, _ in told.signal() }
  }

  var count: Int {
    let list = list
    return DispatchQueue.main.sync { list.snapshot.count }
  }

  /// Saves a change from a child of the default context.
  /// - Returns: The time until the list has told of it, or without a list until the save is over; of it
  ///   the main thread's, and as `cpu` that of all threads but the main and the calling one.
  static func change(
    _ stack: Stack, _ list: ShownList?, _ body: (ManagedObjectContext) throws -> Void
  ) throws -> Sample {
    let context = stack.child()
    try context.performAndWait { _ in try body(context) }
    DispatchQueue.main.sync {}
    let times = ThreadTimes()
    let began = now()
    try context.saveAndWait(toPersistentStore: false)
    list?.told.wait()
    let wall = now() - began
    // The delivery is over when the main queue takes something else.
    DispatchQueue.main.sync {}
    let passed = times.passed
    return Sample(wall: wall, cpu: passed.others, main: passed.main)
  }

  /// The middle of several samples.
  static func middle(of count: Int, _ sample: (Int) throws -> Sample) rethrows -> Sample {
    let samples = try (0..<count).map(sample)
    return Sample(
      wall: median(samples.map(\.wall)) ?? 0, cpu: median(samples.map(\.cpu)) ?? 0,
      main: median(samples.compactMap(\.main)))
  }
}

import Cauldron
import Foundation

/// Runs operations on contexts, with lists in all of them, and tells where a list differs from a fetch.
///
/// An operation is four numbers that name objects by their places, so that any part of a list can be run
/// by itself: a failing one is made shorter as long as it fails.
package struct ListRun {
  package typealias Operation = [Int]

  let stage: ListStage
  var contexts: [ManagedObjectContext]
  var watchers: [ListWatcher] = []
  /// What was done so far, one line each.
  var story: [String] = []
  /// How many operations nobody looks.
  private var idle = 0

  package static func operations(
    _ count: Int, using generator: inout some RandomNumberGenerator
  ) -> [Operation] {
    (0..<count).map { _ in (0..<4).map { _ in Int.random(in: 0..<10_000, using: &generator) } }
  }

  /// - Returns: The first difference; nil if there is none.
  package static func run(_ operations: [Operation]) throws -> String? {
    var run = try ListRun()
    return try run.run(operations)
  }

  /// What operations do, one line each.
  package static func story(of operations: [Operation]) throws -> [String] {
    var run = try ListRun()
    let difference = try run.run(operations)
    return run.story + [difference ?? "no difference"]
  }

  /// A shorter list that fails, too; nil where these do not fail again, because it was a matter of time.
  package static func shrunk(_ operations: [Operation]) throws -> [Operation]? {
    if try run(operations) == nil { return nil }
    var list = operations
    var size = list.count / 2
    while size > 0 {
      var start = 0
      while start < list.count {
        var shorter = list
        shorter.removeSubrange(start..<min(start + size, list.count))
        if try run(shorter) != nil { list = shorter } else { start += size }
      }
      size /= 2
    }
    return list
  }

  private init() throws {
    stage = try ListStage()
    let main = stage.stack.defaultContext
    contexts = [stage.stack.rootSavingContext, main]
    for name in ["first", "second"] { contexts.append(Self.child(name, of: main)) }
    contexts.append(Self.child("sibling", of: stage.stack.rootSavingContext))
    for _ in 0..<3 { watchers.append(try watcher([8, 0, 1, 1], 7, main)) }
  }

  static func child(_ name: String, of parent: ManagedObjectContext) -> ManagedObjectContext {
    ManagedObjectContext(.private, parent: parent, name: name)
  }

  func watcher(
    _ numbers: [Int], _ section: Int, _ context: ManagedObjectContext
  ) throws -> ListWatcher {
    let watcher = try ListWatcher(
      ListQueries.query(numbers), ListQueries.section(section), in: context)
    try context.performAndWait { _ in try watcher.list.performFetchAndWait() }
    return watcher
  }

  private mutating func run(_ operations: [Operation]) throws -> String? {
    for (step, operation) in operations.enumerated() {
      try carryOut(operation)
      if idle > 0 { idle -= 1 } else if operation[3] % 9 == 0 { idle = operation[2] % 6 }
      if idle == 0, let difference = try difference() {
        return "at step \(step), \(operation): \(difference)"
      }
    }
    return try difference().map { "at the end: \($0)" }
  }

  private func difference() throws -> String? {
    for watcher in watchers {
      if let difference = try watcher.difference() {
        return "a list in \(watcher.context.name) of \(watcher.text) \(difference)"
      }
    }
    return nil
  }
}

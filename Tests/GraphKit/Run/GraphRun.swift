import Cauldron

/// Runs operations on contexts and on dictionaries, and tells where they differ.
///
/// An operation is four numbers that name objects by their places, so that any part of a list can be
/// run by itself: a failing one is made shorter as long as it fails.
package struct GraphRun {
  package typealias Operation = [Int]

  var stage: GraphStage
  var oracle = GraphOracle()
  var contexts: [GraphPlace: ManagedObjectContext] = [:]
  var ids: [Int: ManagedObjectID] = [:]
  var numbers: [ManagedObjectID: Int] = [:]
  /// The IDs that objects had whose saved deletion was undone.
  var formerIDs: [Int: [ManagedObjectID]] = [:]
  /// The contexts that are worked in, and the one that is just now.
  let places: [GraphPlace]
  var place = GraphPlace.editor
  /// What the running event has to do with.
  var touched: Set<Int> = []
  /// What the contexts could undo.
  var records: [GraphPlace: GraphRecords] = [:]
  /// What was done so far, one line each.
  var story: [String] = []

  package static func operations(
    _ count: Int, using generator: inout some RandomNumberGenerator
  ) -> [Operation] {
    (0..<count).map { _ in (0..<4).map { _ in Int.random(in: 0..<1_000, using: &generator) } }
  }

  /// - Parameter contexts: From 1 to 4.
  /// - Returns: The first difference; nil if there is none.
  package static func run(_ operations: [Operation], contexts: Int) throws -> String? {
    var run = try GraphRun(contexts)
    return try run.run(operations)
  }

  /// What operations do, one line each.
  package static func story(of operations: [Operation], contexts: Int) throws -> [String] {
    var run = try GraphRun(contexts)
    let difference = try run.run(operations)
    return run.story + [difference ?? "no difference"]
  }

  private mutating func run(_ operations: [Operation]) throws -> String? {
    var step = 0
    do {
      while step < operations.count {
        let before = step
        do {
          try next(operations, &step)
          if before / 50 != step / 50 { try compareAll() }
        } catch let difference as GraphDifference {
          return "at step \(before), \(operations[before]), in \(place): \(difference)"
        }
      }
      try finish()
      return nil
    } catch let difference as GraphDifference {
      return "at the end: \(difference)"
    }
  }

  /// A shorter list that fails in the same way: what is found on the way is another difference.
  package static func shrunk(_ operations: [Operation], contexts: Int) throws -> [Operation] {
    let wanted = try run(operations, contexts: contexts).map(gist)
    var list = operations
    var size = list.count / 2
    while size > 0 {
      var start = 0
      while start < list.count {
        var shorter = list
        shorter.removeSubrange(start..<min(start + size, list.count))
        let gist = try run(shorter, contexts: contexts).map(gist)
        if gist == wanted { list = shorter } else { start += size }
      }
      size /= 2
    }
    return list
  }

  /// What a difference tells, without the objects that it is about, and where it was met.
  private static func gist(_ difference: String) -> String {
    let told = difference.drop { $0 != ":" }
    return told.split { !$0.isLetter }.filter { $0.count > 2 && $0 != "end" }
      .filter { word in !GraphPlace.allCases.contains { "\($0)" == word } }
      .prefix(8).joined(separator: " ")
  }

  private init(_ count: Int) throws {
    stage = try GraphStage()
    places = Array(GraphPlace.allCases.prefix(min(max(count, 1), 4)))
    makeContexts([.editor, .sibling, .second])
    contexts[.main] = stage.main
    contexts[.root] = stage.root
    beginRecords(.main)
  }

  /// Runs the operations of one event.
  private mutating func next(_ operations: [Operation], _ step: inout Int) throws {
    switchPlace(operations[step])
    if Self.isAboutContexts(operations[step]) {
      step += 1
      return try changeContext(operations[step - 1])
    }
    guard let context = contexts[place] else { return }
    touched = []
    story.append("\(place):")
    let first = step
    let before = oracle
    let isNoted = try context.performAndWait { local in
      repeat {
        try edit(operations[step], local.context)
        step += 1
      } while step < operations.count && Self.goesOn(operations[step - 1], operations[step])
      local.context.processPendingChanges()
      return local.context.undoManager?.groupingLevel == 1
    }
    if isNoted { record(since: before) }
    try compare(touched, place)
    if place == .main { try tellChildren(operations[first]) }
  }

  private mutating func switchPlace(_ op: Operation) {
    if op[0] / 100 >= 6 { place = places[(op[0] / 100 - 6) % places.count] }
  }

  private static func isAboutContexts(_ op: Operation) -> Bool { op[0] % 100 >= 90 }

  /// Whether an operation belongs to the event of the one before; only deletions follow on deletions.
  private static func goesOn(_ last: Operation, _ op: Operation) -> Bool {
    op[3] % 3 != 0 && op[0] / 100 < 6 && !isAboutContexts(op)
      && (!isDeletion(last) || isDeletion(op))
  }

  static func isDeletion(_ op: Operation) -> Bool { (79..<84).contains(op[0] % 100) }
}

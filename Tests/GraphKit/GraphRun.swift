import Cauldron

/// Runs operations on a chain of contexts and on dictionaries, and tells where they differ.
///
/// An operation is four numbers that name objects by their places, so that any part of a list can be
/// run by itself: a failing one is made shorter as long as it fails.
package struct GraphRun {
  package typealias Operation = [Int]

  private var stage: GraphStage
  private(set) var context: ManagedObjectContext
  /// What the context has, and then its parent and the store.
  var work = GraphOracle()
  private var main = GraphOracle()
  private var stored = GraphOracle()
  private var next = 1

  package static func operations(
    _ count: Int, using generator: inout some RandomNumberGenerator
  ) -> [Operation] {
    (0..<count).map { _ in (0..<4).map { _ in Int.random(in: 0..<1_000, using: &generator) } }
  }

  /// - Returns: The first difference; nil if there is none.
  package static func run(_ operations: [Operation]) throws -> String? {
    var run = try GraphRun()
    for (step, operation) in operations.enumerated() {
      try run.apply(operation)
      if let difference = try run.difference(isThorough: step % 25 == 24) {
        return "after step \(step), \(operation): \(difference)"
      }
    }
    try run.finish()
    return try run.difference(isThorough: true).map { "at the end: \($0)" }
  }

  /// A shorter list that fails, too.
  package static func shrunk(_ operations: [Operation]) throws -> [Operation] {
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
    stage = try GraphStage()
    context = stage.child("Editor", of: stage.main)
  }

  private mutating func finish() throws {
    try context.saveAndWait(toPersistentStore: true)
    stage = try stage.reopened()
    context = stage.child("Reader", of: stage.main)
    (main, stored) = (work, work)
  }

  private mutating func apply(_ op: Operation) throws {
    let (nodes, marks) = (work.nodes, work.marks.sorted())
    func node(_ place: Int) -> Int? { nodes.isEmpty ? nil : nodes[place % nodes.count] }
    func mark(_ place: Int) -> Int? { marks.isEmpty ? nil : marks[place % marks.count] }
    switch op[0] % 100 {
    case 0..<18: create()
    case 18..<24: createMark(isSub: op[1] % 2 == 0)
    case 94..<100: try changeContext(op[1] % 10)
    default:
      guard let a = node(op[1]), let b = node(op[2]), let m = mark(op[2]) else { return }
      try edit(op, a, b, m)
    }
  }

  private mutating func create() {
    let node = Node.create(in: context)
    node.uid = next
    work.values[next] = 0
    next += 1
  }

  private mutating func createMark(isSub: Bool) {
    let mark = isSub ? SubMark.create(in: context) : Mark.create(in: context)
    mark.uid = next
    work.marks.insert(next)
    next += 1
  }

  private mutating func changeContext(_ choice: Int) throws {
    switch choice {
    case 0..<3:
      try context.saveAndWait(toPersistentStore: false)
      main = work
    case 3..<6:
      try context.saveAndWait(toPersistentStore: true)
      (main, stored) = (work, work)
    case 6:
      // Thrown away.
      context = stage.child("Editor", of: stage.main)
      work = main
    case 7:
      context.rollback()
      work = main
    case 8:
      stage.main.performAndWait { $0.context.rollback() }
      stage.root.performAndWait { $0.context.rollback() }
      context = stage.child("Editor", of: stage.main)
      (work, main) = (stored, stored)
    default:
      for object in context.registeredObjects where !object.hasChanges {
        context.refresh(object, mergeChanges: false)
      }
    }
  }

  func find(_ uid: Int) throws -> Node? {
    try Node.findFirst(where: \.uid == uid, in: context)
  }

  func findMark(_ uid: Int) throws -> Mark? {
    try Mark.findFirst(where: \.uid == uid, in: context)
  }
}

import Cauldron
package import Dispatch
import Foundation
import Logging

/// Runs short programs over a context and a child of it: no save that succeeds may lose an edit, and what a
/// thread or a task did before is seen.
package struct OrderRun {
  /// How the child's steps are reached while the parent has its event.
  package enum Way: CaseIterable, Sendable { case direct, performAndWait, dispatch }

  /// Where the parent of the two contexts is in the stack.
  package enum Layout: CaseIterable, Sendable { case root, main, child }

  /// The two together, as far as there are such programs: a child on its parent's queue has the main context's.
  package struct Place: Sendable, CustomStringConvertible {
    let way: Way
    let layout: Layout

    package static let all = Way.allCases.flatMap { way in
      Layout.allCases.filter { way != .direct || $0 == .main }.map { Place(way: way, layout: $0) }
    }

    package var description: String { "\(way) below \(layout)" }
  }

  /// A stack keeps the objects of all programs that were run in it, so that it serves a hundred.
  private var stack: Stack
  private var count = 0
  private let configuration: StackConfiguration

  /// - Parameter mainQueue: That of the main context; nil for a queue of its own.
  package init(mainQueue: DispatchQueue? = nil) throws {
    var configuration = StackConfiguration()
    configuration.mainQueue = mainQueue ?? DispatchQueue(label: "order main")
    configuration.logger = Logger(label: "order") { _ in SwiftLogNoOpLogHandler() }
    self.configuration = configuration
    stack = try Stack(storeURL: nil, model: Graph.model(), configuration: configuration)
  }

  /// Has the next program run in a new stack where the last one has served its time.
  private mutating func renew() throws {
    count += 1
    guard count % 100 == 0 else { return }
    stack = try Stack(storeURL: nil, model: Graph.model(), configuration: configuration)
  }

  /// Runs a program within one event of the parent.
  /// - Returns: What did not come as it must.
  package mutating func findings(
    of steps: [OrderStep], isNew: Bool, at place: Place
  ) throws -> [String] {
    try renew()
    let (way, parent) = (place.way, parent(place.layout))
    return try parent.performAndWait { _ in
      let program = try OrderProgram(isNew: isNew, sees: way != .dispatch, in: parent)
      let child = ManagedObjectContext(
        way == .direct ? .main : .private, parent: parent, name: "Child")
      for step in steps + [.saveBelow] {
        guard step.isBelow else {
          program.above(step)
          continue
        }
        switch way {
        case .direct: program.below(step, child)
        case .performAndWait: child.performAndWait { program.below(step, $0.context) }
        case .dispatch:
          try OtherThread.run { child.performAndWait { program.below(step, $0.context) } }
        }
      }
      try program.finish()
      return program.findings
    }
  }

  /// Runs a program in which a task on the main actor awaits the child.
  /// - Returns: What did not come as it must.
  @MainActor package mutating func awaitedFindings(
    of steps: [OrderStep], isNew: Bool
  ) async throws -> [String] {
    try renew()
    let parent = stack.defaultContext
    let program = try OrderProgram(isNew: isNew, sees: true, in: parent)
    let child = ManagedObjectContext(.private, parent: parent, name: "Child")
    for step in steps + [.saveBelow] {
      if step.isBelow {
        await child.perform { program.below(step, $0.context) }
      } else {
        program.above(step)
      }
    }
    try program.finish()
    return program.findings
  }

  private func parent(_ layout: Layout) -> ManagedObjectContext {
    switch layout {
    case .root: stack.rootSavingContext
    case .main: stack.defaultContext
    case .child: ManagedObjectContext(.private, parent: stack.defaultContext, name: "Parent")
    }
  }
}

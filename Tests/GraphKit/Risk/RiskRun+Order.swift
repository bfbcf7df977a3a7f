import Cauldron
import Foundation

extension RiskRun {
  /// A parent and a child work within one event of the parent, on the same thread or on another one.
  mutating func runEvent(_ op: Operation) throws {
    let candidate = setup.children(of: place).isEmpty ? setup.parent(of: place) : place
    guard let parent = candidate, let context = contexts[parent] else { return }
    let children = setup.children(of: parent).filter { $0 != .main }
    guard !children.isEmpty else { return }
    let child = children[op[2] % children.count]
    let isElsewhere = op[2] / 7 % 3 == 0
    place = parent
    story("begin an event, with steps of \(child)\(isElsewhere ? " on another thread" : "")")
    if isElsewhere { deferred = [] }
    try context.performAndWait { local in
      for index in 0..<(2 + op[2] / 21 % 4) {
        let draw = op[3] / (index + 1) + 17 * index + op[2]
        if draw % 5 < 2 {
          place = parent
          if draw % 15 == 0, !isElsewhere {
            create(op, local.context)
          } else {
            editInEvent(draw / 5, local.context)
          }
          continue
        }
        place = child
        if isElsewhere {
          try OtherThread.run { try stepBelow(draw / 5, child) }
        } else {
          try stepBelow(draw / 5, child)
        }
      }
      local.context.processPendingChanges()
    }
    place = parent
    story("end the event")
    publishDeferred()
  }

  /// What the parent has changed on its own thread and not published.
  private mutating func publishDeferred() {
    for edit in deferred ?? [] {
      let now = oracle.row(edit.object, place)?[edit.property]
      // Which of the two the context fetches until its next save is open.
      if now != edit.shown[edit.property] { isOver = true }
      oracle.edit(edit.object, edit.property, to: edit.value, shown: edit.shown, place)
      oracle.layers[place]?.isEdited = true
    }
    deferred = nil
  }

  /// An edit of a property that shows what is fetched: one that a child has saved since is another matter.
  mutating func editInEvent(_ draw: Int, _ context: ManagedObjectContext) {
    let cards = oracle.living(.card, place)
    guard !cards.isEmpty else { return }
    let number = cards[draw % cards.count]
    guard let object = object(number, context) else { return }
    if deferred == nil, row(object) != oracle.row(number, place) { return }
    setValue(.edit, number, (draw * 7 + report.steps) % 1_000, context)
  }

  private mutating func stepBelow(_ draw: Int, _ child: RiskPlace) throws {
    guard let below = contexts[child] else { return }
    switch draw % 4 {
    case 0: try save(child, draw % 3 == 0 ? .mergeByPropertyObjectTrump : .error)
    case 1: try below.performAndWait { try fetchBelow(child, $0.context) }
    default: try below.performAndWait { try editBelow(draw, child, $0.context) }
    }
  }

  /// A child fetches what its parent has edited in the running event.
  mutating func fetchBelow(_ child: RiskPlace, _ context: ManagedObjectContext) throws {
    story("fetch")
    for (number, row) in try RiskKind.card.rows(in: context) {
      guard let expected = oracle.row(number, child), expected != row else { continue }
      throw RiskFinding(
        aspect: .order, objects: [number], place: child,
        text: "\(name(number)) is \(row) in its parent's event, not \(expected)")
    }
  }

  /// A child edits an object which its parent may have edited in the running event.
  mutating func editBelow(
    _ draw: Int, _ child: RiskPlace, _ context: ManagedObjectContext
  ) throws {
    let cards = oracle.living(.card, child)
    guard !cards.isEmpty else { return }
    let number = cards[draw / 4 % cards.count]
    if object(number, context) == nil {
      throw RiskFinding(
        aspect: .order, objects: [number], place: child,
        text: "\(name(number)) is not there in its parent's event")
    }
    setValue(.edit, number, (draw * 11 + report.steps) % 1_000, context)
  }
}

/// An edit of a running event that other threads do not see.
struct RiskDeferred {
  let object: Int
  let property: RiskProperty
  let value: Int
  let shown: RiskRow
}

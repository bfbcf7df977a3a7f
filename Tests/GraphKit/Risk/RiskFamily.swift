/// What risky runs try, by what may go wrong.
package enum RiskFamily: String, CaseIterable, Sendable {
  /// Edits of the same plain properties, saved by any policy.
  case conflicts
  /// Deletions here and edits there, then refresh, undo or a refused save.
  case deletions
  /// One-to-one ends that were read at different times, with thirds.
  case pairs
  /// A parent's running event beside a child.
  case order = "program-order"
  /// Unique values among four, exchanged and given anew.
  case keys
  /// Undo and redo of events that create or dissolve an owner and its links.
  case undo

  var kinds: [RiskKind] {
    switch self {
    case .conflicts, .order: [.card]
    case .deletions: [.card, .binder, .sheet, .holder, .part]
    case .pairs: [.seat, .guest]
    case .keys: [.label]
    case .undo: [.binder, .sheet, .holder, .part]
    }
  }

  /// How often an action is drawn.
  private var weights: [(RiskAction, Int)] {
    switch self {
    case .conflicts:
      [
        (.edit, 160), (.read, 40), (.setBack, 4), (.setEqual, 1), (.refresh, 12), (.revert, 12),
        (.rollback, 3), (.save, 110), (.saveUp, 20), (.look, 4), (.discard, 6), (.plant, 1),
        (.part, 1), (.refuse, 12),
      ]
    case .deletions:
      [
        (.edit, 30), (.read, 8), (.delete, 12), (.create, 4), (.refresh, 3), (.revert, 12),
        (.rollback, 1), (.save, 22), (.saveUp, 5), (.look, 5), (.undo, 5), (.discard, 2),
        (.refuse, 4),
      ]
    case .pairs:
      [
        (.link, 36), (.unlink, 8), (.swap, 4), (.edit, 6), (.read, 14), (.refresh, 2),
        (.revert, 4), (.rollback, 1), (.save, 22), (.saveUp, 5), (.look, 2), (.discard, 2),
        (.refuse, 3),
      ]
    case .order:
      [
        (.event, 26), (.task, 14), (.edit, 20), (.read, 6), (.refresh, 2), (.save, 22),
        (.discard, 4), (.refuse, 4),
      ]
    case .keys:
      [
        (.rename, 24), (.exchange, 8), (.delete, 8), (.create, 10), (.edit, 20), (.read, 6),
        (.rollback, 1), (.save, 24), (.saveUp, 5), (.look, 8), (.discard, 2), (.refuse, 4),
      ]
    case .undo:
      [
        (.gather, 14), (.dissolve, 12), (.edit, 8), (.move, 14), (.delete, 6), (.undo, 22),
        (.redo, 16), (.save, 10), (.look, 2), (.refuse, 2),
      ]
    }
  }

  /// The action that a number stands for.
  func action(_ number: Int) -> RiskAction {
    var rest = number % weights.reduce(0) { $0 + $1.1 }
    for (action, weight) in weights {
      if rest < weight { return action }
      rest -= weight
    }
    return .read
  }
}

/// One thing that a risky run does.
enum RiskAction {
  case read, edit, setBack, setEqual, create, delete, refresh, revert, rollback, discard, look
  case save, saveUp
  /// An edit of an ancestor that does not validate, before a save that passes it.
  case plant
  /// Edits of an object before and after a child's save, and a policy that drops them.
  case part
  /// A save that fails at validation or at the store.
  case refuse
  case link, unlink, swap
  case rename, exchange
  /// Steps of a context and of a child in one event of the former.
  case event
  /// Steps of the main context and, awaited, of children in one task on the main queue.
  case task
  case undo, redo
  /// A new owner with members of others, the end of an owner that leaves its members, a member's move.
  case gather, dissolve, move
}

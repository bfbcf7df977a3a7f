/// What an account holds.
struct Holding: Hashable {
  var balance: Int
  var mark: Int
}

/// What one event of a context did to one account.
enum Edit {
  case insert(Holding)
  case update(from: Holding, to: Holding)
  case delete(from: Holding)
}

/// What one event did, by key.
typealias Edits = [Int64: Edit]

/// All accounts as somebody sees them, by key.
typealias View = [Int64: Holding]

extension View {
  var sum: Int { values.reduce(0) { $0 + $1.balance } }

  /// The view after an event; properties that the event left alone keep what they are.
  func applying(_ edits: Edits) -> View {
    var view = self
    for (key, edit) in edits {
      switch edit {
      case .insert(let holding): view[key] = holding
      case .delete: view[key] = nil
      case .update(let old, let new):
        if old.balance != new.balance { view[key]?.balance = new.balance }
        if old.mark != new.mark { view[key]?.mark = new.mark }
      }
    }
    return view
  }

  /// The accounts for the sake of which an event, which saw other values, may not be accepted here.
  func conflicts(with edits: Edits) -> Set<Int64> {
    Set(edits.keys.filter { isConflict(edits[$0], $0) })
  }

  private func isConflict(_ edit: Edit?, _ key: Int64) -> Bool {
    switch edit {
    case nil, .insert: return false
    case .delete(let old): return self[key] != old
    case .update(let old, let new):
      guard let now = self[key] else { return true }
      return old.balance != new.balance && now.balance != old.balance
        || old.mark != new.mark && now.mark != old.mark
    }
  }
}

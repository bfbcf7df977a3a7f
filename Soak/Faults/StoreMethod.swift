import CauldronModel

/// The methods of the store contract, with the moments at which each may throw.
enum StoreMethod: String, CaseIterable {
  case reader, pin, fetch, ids, rows, row, count, reserveKeys, reserveKeysAtOnce, returnKeys, save
  case close

  var moments: [StoreMoment] {
    switch self {
    case .reader, .pin, .fetch, .ids, .rows, .row, .count: [.before, .after]
    case .reserveKeys, .reserveKeysAtOnce, .returnKeys, .close: [.before, .after]
    case .save: [.before, .busy, .begun, .unwritten, .written]
    }
  }
}

/// When a method of the store throws, and what is true then.
enum StoreMoment: String, CaseIterable {
  /// Nothing was done.
  case before
  /// It was done all the same; for what nobody can lose.
  case after
  /// The store was locked.
  case busy
  /// The commit was announced, and undone.
  case begun
  /// Nobody knows whether it was committed; it was not.
  case unwritten
  /// Nobody knows whether it was committed; it was.
  case written

  var code: CauldronError.Code {
    switch self {
    case .busy: .storeBusy
    case .unwritten, .written: .storeCommitOutcomeUnknown
    case .before, .after, .begun: .storeIO
    }
  }
}

import Cauldron

/// One property of one account that one save changed, and what the save was told.
struct LedgerEntry: Sendable, CustomStringConvertible {
  /// A property is followed by itself.
  struct Place: Hashable, Sendable {
    let account: Int
    let property: String
  }

  enum Answer: String, Sendable {
    /// The save was reported, and nothing dropped the edit: it must be in the file's history.
    case acknowledged
    /// The save was refused, or a policy dropped the edit: it must be nowhere.
    case refused
    /// Whether it was written is not known.
    case open
  }

  let place: Place
  let was: Int
  /// No other edit has this value.
  let new: Int
  var answer = Answer.refused
  /// The value that the edit replaced: what it showed before, or theirs, if a policy kept mine.
  var predecessor: Int
  var story: String

  init(_ place: Place, was: Int, new: Int, _ story: String) {
    (self.place, self.was, self.new, self.story) = (place, was, new, story)
    predecessor = was
  }

  var description: String {
    let replaced = predecessor == was ? "" : " over \(predecessor)"
    return "\(place.account).\(place.property) \(was) -> \(new)\(replaced)"
      + " \(answer.rawValue) (\(story))"
  }

  /// Takes what the save reports about this edit.
  /// - Returns: What is wrong with the report.
  mutating func take(_ summary: SaveSummary, of id: ManagedObjectID) -> [String] {
    answer = .acknowledged
    var wrong: [String] = []
    for resolution in summary.resolutions
    where resolution.objectID == id && resolution.property == place.property {
      let theirs = resolution.theirs.map { "\($0)" } ?? "nothing"
      story += ", \(resolution.outcome.rawValue) against \(theirs)"
      if resolution.mine != .integer(Int64(new)) {
        wrong.append("\(self): mine was reported as \(String(describing: resolution.mine))")
      }
      switch resolution.outcome {
      case .keptMine:
        if case .integer(let theirs)? = resolution.theirs { predecessor = Int(theirs) }
      case .tookTheirs, .droppedEdit: answer = .refused
      default: wrong.append("\(self): \(resolution.outcome.rawValue) of an edit")
      }
    }
    return wrong
  }
}

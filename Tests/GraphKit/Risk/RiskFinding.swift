/// What a context shows, or a save answers, and the dictionaries do not.
struct RiskFinding: Error {
  /// Where the two differ.
  enum Aspect: String {
    case rows, count, fetched, getter, hasChanges, deleted, twin, gone
    case saved, refused, names, failed, half, undo, file, order, list, closed, sets
  }

  let aspect: Aspect
  /// The objects that it is about.
  var objects: Set<Int> = []
  let place: RiskPlace
  let text: String

  var description: String { "\(aspect.rawValue) in \(place): \(text)" }
}

/// A kind of defect, by its number in the list of kinds.
package enum RiskDefect: String, CaseIterable, Sendable {
  case g1 = "G1"
  case g2 = "G2"
  case g2b = "G2b"
  case g3 = "G3"
  case g4 = "G4"
  /// One-to-one links: G5 to G8 are refused with `save.conflict` since whole pairs are checked.
  case g5 = "G5-G8"
  case g9 = "G9"
  case g10 = "G10"
  case g11 = "G11"
  case g11b = "G11b"
  case g12 = "G12"
  /// A parent that the caller is on does not show what was saved when the call returns.
  case g15 = "G15"
  /// What a context has accepted is lost where the stack is closed.
  case g20 = "G20"
  /// What a child has saved is not in its parent's sets.
  case g17 = "G17"
  /// An object whose deletion a policy has dropped is not the context's object any more.
  case g27 = "G27"
  /// An object that several parts of one save bring back is there several times.
  case g30 = "G30"
  /// A policy that drops all edits of an object keeps those that were made before a child's save.
  case g31 = "G31"
  /// A deletion that a refused save gives back is not among the deleted objects of its context.
  case g32 = "G32"
  /// A context that does not merge takes in the values of other saves of an object that it has saved itself.
  case g29 = "G29"
  /// A deletion that another part of the same save overrules is judged by itself, and refused; with it goes what
  /// later parts have built on.
  case g33 = "G33"
  /// An end of a one-to-one link that a refresh keeps, and that equals the row below by then, stays an edit.
  case g34 = "G34"
}

/// What a risky run has met.
package struct RiskReport: Sendable {
  /// How many operations were run.
  package var steps = 0
  /// The first difference; nil for none.
  package var difference: String?
  /// The kind of the difference; nil for an unknown one.
  package var defect: RiskDefect?
  /// The kinds that were met and gone on from.
  package var passed: [RiskDefect: Int] = [:]
  /// How many saves were refused, and about how many objects policies have decided, as was foretold.
  package var refused = 0
  package var decided = 0
  /// How often things happened that would show nothing if they never did.
  package var met: [String: Int] = [:]
  /// How often the promise leaves an outcome open.
  package var open = 0
  /// What was done, one line each.
  package var story: [String] = []

  /// What must happen in random operations.
  package static let events = [
    "refused by the store", "refused by validation", "awaited", "closed", "opened again", "listed",
    "undone after a save",
  ]

  /// The share of operations of which the dictionaries may leave the outcome open.
  package static let openLimit = 0.02

  mutating func meet(_ event: String) { met[event, default: 0] += 1 }

  /// What a difference is about, without objects and values.
  var gist: String? {
    difference.map { _ in aspect.map(\.rawValue) ?? "" }
  }
  var aspect: RiskFinding.Aspect?
}

/// What a run has done that what is expected of it depends on.
struct RiskHistory {
  /// The objects that a policy has brought back, and those of them whose deletion was not saved.
  var restored: Set<Int> = []
  var restoredOverUnsaved: Set<Int> = []
  /// The contexts that have deleted them.
  var deleters: [Int: RiskPlace] = [:]
  /// The objects of which a value was set to itself.
  var setEqual: Set<Int> = []
  /// Whether a save has given one name to two objects.
  var isCollision = false
}

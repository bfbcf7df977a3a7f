import CauldronModel

/// Delete rules on dictionaries: what every object refers to, and what that comes to when some are
/// deleted.
struct DeleteRuleOracle {
  /// A relationship to the object below which one stands, by the rule of its other side.
  static let rules: [RelationshipDescription.DeleteRule] = [.nullify, .cascade, .deny, .noAction]

  struct Object: Equatable {
    /// Whom the object stands below, by the index of the rule.
    var above: [Int?] = [nil, nil, nil, nil]
    /// Whether it was committed.
    var isSaved = false
    /// Whether it is deleted in the running event, or in an earlier one since the save.
    var isDeleted = false
  }

  private(set) var objects: [Int: Object] = [:]
  private var saved: [Int: Object] = [:]
  private var doomed: [Int] = []

  var living: [Int] { objects.filter { !$0.value.isDeleted }.keys.sorted() }

  /// Those that stand below an object.
  func below(_ id: Int, _ rule: Int) -> Set<Int> {
    Set(objects.filter { !$0.value.isDeleted && $0.value.above[rule] == id }.keys)
  }

  mutating func create(_ id: Int) { objects[id] = Object() }

  mutating func put(_ id: Int, below other: Int?, _ rule: Int) {
    objects[id]?.above[rule] = other
  }

  mutating func delete(_ id: Int) {
    objects[id]?.isDeleted = true
    doomed.append(id)
  }

  /// Applies the rules.
  mutating func endEvent() {
    var all = doomed
    var next = doomed
    while let id = next.popLast() {
      for (other, object) in objects where !object.isDeleted && object.above[1] == id {
        objects[other]?.isDeleted = true
        all.append(other)
        next.append(other)
      }
    }
    for id in all {
      // Of what was never saved nothing stays behind.
      let cleared = objects[id]?.isSaved == true ? [0] : [0, 2, 3]
      for (other, object) in objects where !object.isDeleted {
        for rule in cleared where object.above[rule] == id { objects[other]?.above[rule] = nil }
      }
      if objects[id]?.isSaved != true { objects[id] = nil }
    }
    doomed = []
  }

  /// Whether a save is denied.
  var isDenied: Bool {
    objects.contains { id, object in object.isDeleted && !below(id, 2).isEmpty }
  }

  mutating func save() {
    objects = objects.filter { !$0.value.isDeleted }
    for id in objects.keys { objects[id]?.isSaved = true }
    saved = objects
  }

  mutating func rollback() { (objects, doomed) = (saved, []) }
}

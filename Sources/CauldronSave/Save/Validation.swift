import CauldronGraph
import CauldronLedger
package import CauldronModel
import CauldronStore
import Foundation

/// Finds attributes and to-one relationships that must not be saved: required values that are nil
/// or NaN, unencodable values, and values that break a rule of the model.
///
/// A row that a later layer changed again is judged by its last state only, also where that layer is a
/// child's: then the child has mended what the context's own edits left.
struct Validation {
  private let layers: [Layer]
  private let storeNumber: Int32
  /// All that is saved, in its order. Only a row that has a problem is looked up.
  private let all: [Layer]
  private lazy var chain = LayerChain(layers: all)
  private var problems: ValidationProblems
  /// The values with a problem that was told already; one is enough for a value.
  private var told: Set<Place> = []

  private struct Place: Hashable {
    let id: ManagedObjectID
    let property: Int
  }

  /// Checks a context's own layers: first what they insert, then what they change.
  /// - Parameters:
  ///   - all: The layers that are saved, children's among them, in their order.
  ///   - single: The only object to be looked at; nil for all.
  /// - Complexity: O(changed rows); for entities without rules one comparison each where they have up
  ///   to 32 properties.
  static func check(
    _ layers: [Layer], among all: [Layer], storeNumber: Int32,
    only single: ManagedObjectID? = nil, problems: inout ValidationProblems
  ) {
    if layers.isEmpty { return }
    var validation = Validation(layers, all, storeNumber, problems)
    if let single {
      validation.check(single)
      problems = validation.problems
      return
    }
    for layer in layers {
      for set in layer.changes.entities { validation.checkInserted(set) }
    }
    for layer in layers {
      for set in layer.changes.entities { validation.checkUpdated(set) }
    }
    problems = validation.problems
  }

  private init(
    _ layers: [Layer], _ all: [Layer], _ storeNumber: Int32, _ problems: ValidationProblems
  ) {
    self.layers = layers
    self.all = all
    self.storeNumber = storeNumber
    self.problems = problems
  }

  /// Checks one object.
  private mutating func check(_ id: ManagedObjectID) {
    for set in layers.compactMap({ $0.changes.changes(to: id.entityNumber) }) {
      switch set.change(id.key) {
      case .inserted(let row):
        checkInserted(EntityChanges(entity: set.entity, inserted: [row], updated: [], deleted: []))
      case .updated(let update):
        checkUpdated(
          EntityChanges(entity: set.entity, inserted: [], updated: [update], deleted: []))
      case .deleted, nil: break
      }
    }
  }

  private mutating func checkInserted(_ set: EntityChanges) {
    let (required, rules) = (set.entity.digest.required, set.entity.digest.rules)
    let areComplete = required.isEmpty || set.insertedRows.areComplete
    if areComplete, rules.isEmpty { return }
    for row in set.inserted {
      if !areComplete, !required.isComplete(row) {
        tellMissing(in: row, of: set.entity) { _ in true }
      }
      check(rules, in: row, of: set.entity) { _ in true }
    }
  }

  private mutating func checkUpdated(_ set: EntityChanges) {
    let (required, rules) = (set.entity.digest.required, set.entity.digest.rules)
    if required.isEmpty, rules.isEmpty { return }
    for update in set.updated {
      // What nobody has touched is not this save's to refuse.
      if !required.isComplete(update.row) {
        tellMissing(in: update.row, of: set.entity, where: update.changed.contains)
      }
      check(rules, in: update.row, of: set.entity, where: update.changed.contains)
    }
  }

  /// Looks at the rules of changed properties; of one property the first that is broken tells, because
  /// others may take long for such a value.
  @inline(__always)
  private mutating func check(
    _ rules: [RuleTest], in row: RowPointer, of entity: EntityLayout,
    where isChanged: (Int) -> Bool
  ) {
    var broken: Int?
    for rule in rules
    where rule.index != broken && isChanged(rule.index) && rule.failure(in: row) != nil {
      broken = rule.index
      tell(rule, in: row, of: entity)
    }
  }

  private mutating func tellMissing(
    in row: RowPointer, of entity: EntityLayout, where isChanged: (Int) -> Bool
  ) {
    let id = id(row, of: entity)
    for property in entity.properties where property.hasColumn && isChanged(property.index) {
      guard Self.loss(in: row, at: property, of: entity) != nil,
        let newest = newest(id, at: property),
        let problem = Self.loss(in: newest, at: property, of: entity)
      else { continue }
      add(problem, of: id, at: property, entity: entity)
    }
  }

  private mutating func tell(_ rule: RuleTest, in row: RowPointer, of entity: EntityLayout) {
    let id = id(row, of: entity)
    let property = entity.properties[rule.index]
    guard let newest = newest(id, at: property), let failure = rule.failure(in: newest),
      Self.loss(in: newest, at: property, of: entity) == nil
    else { return }
    add(
      .broken(failure, name: "\(entity.name).\(property.name)"), of: id, at: property,
      entity: entity)
  }

  /// The row as the last change to one of its properties leaves it; nil where the row is deleted.
  private mutating func newest(_ id: ManagedObjectID, at property: PropertyLayout) -> RowPointer? {
    var row: RowPointer?
    chain.forEachChange(of: id) { change in
      switch change {
      case .inserted(let new): row = new
      case .updated(let update): if update.changed.contains(property.index) { row = update.row }
      case .deleted: row = nil
      }
    }
    return row
  }

  private mutating func add(
    _ problem: @autoclosure () -> CauldronError, of id: ManagedObjectID,
    at property: PropertyLayout,
    entity: EntityLayout
  ) {
    guard told.insert(Place(id: id, property: property.index)).inserted else { return }
    problems.add([id]) {
      problem().with {
        $0.entity = entity.name
        $0.property = property.name
        $0.objectIDs = [id]
      }
    }
  }

  private func id(_ row: RowPointer, of entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(key: row.key, entityNumber: entity.number, storeNumber: storeNumber)
  }
}

extension Validation {
  /// Why there is no value where one is required, or none that a store can keep.
  fileprivate static func loss(
    in row: RowPointer, at property: PropertyLayout, of entity: EntityLayout
  ) -> CauldronError? {
    let name = "\(entity.name).\(property.name)"
    if row.isNull(property.index) {
      return property.isRequired ? CauldronError(.validationMissing, "\(name) is required.") : nil
    }
    switch property.doubt {
    case .nan:
      let number = row.real(property.index)
      return property.isRequired && number.isNaN ? noNumber(name) : nil
    case .nanText:
      return property.isRequired && row.isNaNText(property.index) ? noNumber(name) : nil
    case .unencodable:
      return UnencodableValue.reason(row.bytes(property.index)).map {
        CauldronError(
          .validationNotEncodable,
          "\(name) cannot be encoded\(property.transformation == .untold ? " as JSON" : ""): \($0)",
          hint: "Set a value that its type can encode.")
      }
    case .unstorable(let mark) where row.slot(property.index) == mark.slot:
      return CauldronError(
        .validationNotEncodable, "\(name) cannot be stored: \(mark.reason).",
        hint: "Set a value that can be kept.")
    case .unstorable, nil: return nil
    }
  }

  private static func noNumber(_ name: String) -> CauldronError {
    CauldronError(.validationMissing, "\(name) is required, and NaN is no value.")
  }
}

/// What a save finds wrong: the number of all problems, and the first hundred of them in full.
struct ValidationProblems {
  /// How many problems are kept.
  private static let most = 100
  /// How many problems are named in the error's text.
  private static let shown = 20

  private var list: [CauldronError] = []
  /// How many problems there are.
  private(set) var count = 0
  private var objects: Set<ManagedObjectID> = []

  /// Adds a problem of an object, the first of those that it names; it is made only where it is kept.
  mutating func add(_ ids: [ManagedObjectID], problem: () -> CauldronError) {
    count += 1
    if let id = ids.first { objects.insert(id) }
    if list.count < Self.most { list.append(problem()) }
  }

  /// All problems as one error; nil where there are none.
  var error: CauldronError? {
    guard count > 1 else { return list.first }
    let messages = list.prefix(Self.shown).map(\.message).joined(separator: " ")
    let more = count > Self.shown ? " … and \(count - Self.shown) more." : ""
    let which = objects.count == 1 ? "1 object" : "\(objects.count) objects"
    return CauldronError(
      .validationMultiple, "\(count) problems in \(which): \(messages)\(more)"
    ).with {
      $0.details = list
      var seen: Set<ManagedObjectID> = []
      $0.objectIDs = list.flatMap(\.objectIDs).filter { seen.insert($0).inserted }
    }
  }
}

extension CauldronError {
  /// A value that breaks a rule of the model.
  /// - Parameter name: The property with its entity.
  package static func broken(_ failure: RuleFailure, name: String) -> CauldronError {
    switch failure {
    case .tooSmall(let least):
      CauldronError(.validationTooSmall, "\(name) must be at least \(least).")
    case .tooLarge(let most):
      CauldronError(.validationTooLarge, "\(name) must be at most \(most).")
    case .tooSoon(let date):
      CauldronError(.validationTooSoon, "\(name) must not be before \(text(of: date)).")
    case .tooLate(let date):
      CauldronError(.validationTooLate, "\(name) must not be after \(text(of: date)).")
    case .tooShort(let least):
      CauldronError(.validationTooShort, "\(name) must have at least \(units(least)).")
    case .tooLong(let most):
      CauldronError(.validationTooLong, "\(name) must have at most \(units(most)).")
    case .noMatch(let pattern):
      CauldronError(.validationNoMatch, "\(name) must match \"\(pattern)\".")
    case .other(let sentence):
      CauldronError(.validationFailed, "\(name) \(sentence).")
    }
  }

  private static func text(of date: TimeInterval) -> String {
    Date(timeIntervalSinceReferenceDate: date).formatted(.iso8601)
  }

  private static func units(_ count: Int) -> String {
    count == 1 ? "1 UTF-16 unit" : "\(count) UTF-16 units"
  }
}

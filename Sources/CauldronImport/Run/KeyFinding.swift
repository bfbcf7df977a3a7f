import CauldronGraph
import CauldronModel

/// Finds the objects of records by their keys: objects of the store, and new objects of this import.
final class KeyFinding {
  private let state: ImportState
  /// What this import has given keys and not saved. Some may have lost them again.
  @exclusivity(unchecked) private var keyed: [KeyRef: KeyHolders] = [:]
  /// What has the keys of the chunk.
  @exclusivity(unchecked) private var slots: [KeySlot] = []
  /// What the store has for keys, where records change them.
  private var found: [KeyRef: KeyHolders] = [:]
  private var looks: [(place: KeyPlace, look: ManagedObjectContext.Look)] = []
  /// What keys the record has given, where that may be taken back.
  @exclusivity(unchecked) private var given: [(key: KeyRef, slot: Int?)] = []
  @exclusivity(unchecked) private var isUndoable = false

  init(_ state: ImportState) { self.state = state }

  /// Ends a chunk.
  func endChunk() {
    found.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    looks.removeAll(keepingCapacity: true)
  }

  /// What the import has given keys is in the store now.
  func noteCommit() { keyed = [:] }

  /// Begins a record.
  /// - Parameter isUndoable: Whether it is taken back where it is refused.
  func begin(isUndoable: Bool) {
    self.isUndoable = isUndoable
    given.removeAll(keepingCapacity: true)
  }

  /// Forgets what keys the record has given.
  func undo() {
    for (key, slot) in given.reversed() {
      keyed[key]?.removeLast()
      if let slot { slots[slot].keyed.removeLast() }
    }
    given.removeAll(keepingCapacity: true)
  }

  /// Looks for all keys of the chunk.
  /// - Complexity: One statement for each entity and attribute that objects are found by; for
  ///   attributes that identify them together, one for each few hundred different values.
  func lookUp() throws {
    slots = state.chunk.keys.all.map { KeySlot(keyed: keyed[$0] ?? KeyHolders()) }
    for (place, search) in wanted() {
      let (objects, look) = try search.objects(in: state.context)
      looks.append((place, look))
      for object in objects {
        let ref = KeyRef(place, search.value(of: object))
        if let slot = state.chunk.keys.known(ref) { slots[slot].found.append(object) }
        if state.plan.movesKeys { found[ref, default: KeyHolders()].append(object) }
      }
    }
  }

  /// What the store is asked for.
  private func wanted() -> [KeyPlace: KeySearch] {
    var wanted: [KeyPlace: KeySearch] = [:]
    for key in state.plan.keys {
      var search = KeySearch(key, capacity: state.chunk.keys.all.count)
      for (slot, ref) in state.chunk.keys.all.enumerated() where ref.place == key.place {
        // Another object cannot have a unique value that this import has given.
        guard !ref.value.isNull,
          key.unique == nil || state.plan.movesKeys || slots[slot].keyed.isEmpty
        else { continue }
        search.insert(ref.value)
      }
      if !search.isEmpty { wanted[key.place] = search }
    }
    if state.plan.movesKeys { addSideKeys(to: &wanted) }
    return wanted
  }

  /// Adds what else may be there once only.
  private func addSideKeys(to wanted: inout [KeyPlace: KeySearch]) {
    for object in state.chunk.objects {
      let entity = state.plan.entities[object.plan]
      for value in state.chunk.values[object.values] {
        let attribute = entity.attributes[value.attribute]
        guard attribute.isUnique, attribute.isSideKey else { continue }
        let scope = entity.entity.above(attribute.scope)
        let place = KeyPlace(attribute)
        wanted[place, default: KeySearch(attribute, in: scope)]
          .insert(.one(value.scalar ?? attribute.fallback))
      }
    }
  }

  /// The object of a draft, where it is there and can be it.
  func known(_ draft: ObjectDraft, in entity: EntityPlan) -> ManagedObject? {
    guard let known = try? resolved(draft.key, in: entity), known.layout.isKind(of: entity.entity)
    else { return nil }
    return known
  }

  /// What a key leads to; nil where nothing has it yet.
  func target(
    at slot: Int, in entity: EntityPlan
  ) throws(Refusal) -> ManagedObject? {
    let known = try resolved(slot, in: entity)
    if let known, !known.layout.isKind(of: entity.family) {
      throw Refusal(known, isNo: entity.family)
    }
    return known
  }

  /// What is known of a key of the chunk.
  /// - Throws: Where two objects have it.
  func resolved(_ slot: Int, in entity: EntityPlan) throws(Refusal) -> ManagedObject? {
    guard slot >= 0, let key = entity.key else { return nil }
    var only: ManagedObject?
    func look(at object: ManagedObject) throws(Refusal) {
      guard object !== only, has(object, slot: slot, of: key, in: entity) else { return }
      if only != nil {
        throw Refusal(
          .importAmbiguous,
          "two objects of \(entity.family.name) have \(key.shown(state.chunk.keys[slot].value))")
      }
      only = object
    }
    try slots[slot].keyed.forEach(look)
    try slots[slot].found.forEach(look)
    return only
  }

  /// Whether an object that had a key has it still, and may be meant by it.
  private func has(
    _ object: ManagedObject, slot: Int, of key: KeyPlan, in entity: EntityPlan
  ) -> Bool {
    // One of another entity has a unique key all the same.
    guard object.isThereForImport, key.unique != nil || object.layout.isKind(of: entity.family)
    else { return false }
    return !state.plan.movesKeys || key.value(of: object) == state.chunk.keys[slot].value
  }

  /// Whether another object has a unique value.
  func isTaken(_ scalar: AttributeScalar, for attribute: AttributePlan, by object: ManagedObject?)
    -> Bool
  {
    func isOther(_ other: ManagedObject) -> Bool {
      other !== object && other.isThereForImport
        && other.importedScalar(at: attribute.index, storage: attribute.storage) == scalar
    }
    let ref = KeyRef(attribute, scalar)
    return keyed[ref]?.contains(where: isOther) ?? false
      || found[ref]?.contains(where: isOther) ?? false
  }

  /// Creates an object with a key, which nothing leads to yet.
  func create(
    with value: KeyValue, in entity: EntityPlan, as key: KeyPlan
  ) throws -> ManagedObject {
    if let unique = key.values, !state.isPreview,
      let look = looks.first(where: { $0.place == key.place })?.look
    {
      return try state.context.importCreated(
        entity.entity, by: unique, values: value.all, since: look)
    }
    let object = state.context.importCreated(entity.entity)
    key.set(value, of: object)
    return object
  }

  /// An object has a key now.
  /// - Parameter slot: The place of the key among those of the chunk; nil where it is none of these.
  func give(_ object: ManagedObject, key: KeyRef, slot: Int?) {
    keyed[key, default: KeyHolders()].append(object)
    if let slot { slots[slot].keyed.append(object) }
    if isUndoable { given.append((key, slot)) }
  }

  /// Notes that the record names a key.
  /// - Returns: Whether it is the first with this key that says more than that.
  func note(
    _ slot: Int, in entity: EntityPlan, isRecord: Bool, isDoubtful: inout Bool
  ) -> Bool {
    let record = state.report.records
    if slots[slot].seen.record != record { slots[slot].seen = .init(record: record) }
    if let former = slots[slot].seen.entity, former !== entity.entity { isDoubtful = true }
    slots[slot].seen.entity = entity.entity
    guard isRecord else { return false }
    // What is not unique may be that of objects of different families.
    let isSame = slots[slot].seen.recordAs.map {
      entity.key?.unique != nil || $0.isKind(of: entity.family)
    }
    slots[slot].seen.recordAs = entity.entity
    return isSame != true
  }
}

extension EntityLayout {
  /// The entity itself or the one above it with a number.
  fileprivate func above(_ number: Int32) -> EntityLayout {
    var entity = self
    while entity.number != number, let above = entity.superentity { entity = above }
    return entity
  }
}

/// The values of one key that the store is asked for.
struct KeySearch {
  private let kind: Kind
  /// The values of one attribute.
  private var scalars: Set<AttributeScalar> = []
  /// The values of several attributes that are unique together.
  private var tuples: Set<[AttributeScalar]> = []
  private let scope: EntityLayout

  private enum Kind {
    case attribute(AttributePlan)
    case together(KeyPlan, UniqueKey)
  }

  /// - Parameter capacity: How many values there are at most.
  init(_ key: KeyPlan, capacity: Int) {
    scope = key.scope
    if let unique = key.unique, key.only == nil {
      kind = .together(key, unique)
      tuples.reserveCapacity(capacity)
    } else {
      kind = .attribute(key.parts[0])
      scalars.reserveCapacity(capacity)
    }
  }

  init(_ attribute: AttributePlan, in scope: EntityLayout) {
    kind = .attribute(attribute)
    self.scope = scope
  }

  var isEmpty: Bool { scalars.isEmpty && tuples.isEmpty }

  mutating func insert(_ value: KeyValue) {
    switch value {
    case .one(let scalar): scalars.insert(scalar)
    case .several(let all): tuples.insert(all)
    }
  }

  /// What has one of the values, and some other objects.
  func objects(
    in context: ManagedObjectContext
  ) throws -> (objects: [ManagedObject], look: ManagedObjectContext.Look) {
    switch kind {
    case .attribute(let attribute):
      try context.importedObjects(of: scope, by: scope.properties[attribute.index], values: scalars)
    case .together(_, let unique):
      try context.importedObjects(by: unique, of: scope, values: Array(tuples))
    }
  }

  /// The value that an object shows.
  func value(of object: ManagedObject) -> KeyValue {
    switch kind {
    case .attribute(let attribute):
      .one(object.importedScalar(at: attribute.index, storage: attribute.storage))
    case .together(let key, _): key.value(of: object)
    }
  }
}

/// What is known of a key of a chunk.
struct KeySlot {
  /// What this import has given the key, and not saved.
  var keyed: KeyHolders
  /// What the store has; that two have it leaves open which is meant.
  var found = KeyHolders()
  var seen = Seen(record: -1)

  /// What a record has said of the key.
  struct Seen {
    let record: Int
    /// As what it was named last.
    unowned(unsafe) var entity: EntityLayout?
    /// As what more was said of it than the key last; nil where it was not.
    unowned(unsafe) var recordAs: EntityLayout?
  }
}

/// The objects that have a key: mostly one, which takes one word.
enum KeyHolders {
  case none
  case one(ManagedObject)
  /// In the order in which they got it.
  case many([ManagedObject])

  init() { self = .none }

  var isEmpty: Bool {
    if case .none = self { true } else { false }
  }

  /// - Complexity: O(1), amortised.
  mutating func append(_ object: ManagedObject) {
    if isEmpty {
      self = .one(object)
    } else {
      var all = takeAll()
      all.append(object)
      self = .many(all)
    }
  }

  mutating func removeLast() {
    var all = takeAll()
    if all.popLast() != nil, !all.isEmpty { self = .many(all) }
  }

  /// Gives the list away, so that it has one owner while it is changed.
  private mutating func takeAll() -> [ManagedObject] {
    let taken = self
    self = .none
    switch taken {
    case .none: return []
    case .one(let object): return [object]
    case .many(let all): return all
    }
  }

  func contains(where isWanted: (ManagedObject) -> Bool) -> Bool {
    switch self {
    case .none: false
    case .one(let object): isWanted(object)
    case .many(let all): all.contains(where: isWanted)
    }
  }

  func forEach(_ body: (ManagedObject) throws(Refusal) -> Void) throws(Refusal) {
    switch self {
    case .none: return
    case .one(let object): try body(object)
    case .many(let all): for object in all { try body(object) }
    }
  }
}

/// The keys of all records of a file, so that it is known at the first which of them will come.
package struct ImportKeys {
  private var keys: Set<KeyRef> = []

  package init() {}

  /// Notes the keys of a chunk, and what else its objects will be found by.
  package mutating func note(_ chunk: ImportChunk, _ plan: ImportPlan) {
    for record in chunk.records where record.problem == nil {
      for object in chunk.objects[record.objects] {
        let entity = plan.entities[object.plan]
        if object.key >= 0 { keys.insert(chunk.keys[object.key]) }
        guard plan.movesKeys else { continue }
        for value in chunk.values[object.values] {
          let attribute = entity.attributes[value.attribute]
          let scalar = value.scalar ?? attribute.fallback
          if attribute.isSideKey, !scalar.isNull { keys.insert(KeyRef(attribute, scalar)) }
        }
        for key in entity.sideKeys {
          if let value = chunk.said(of: object, in: entity, for: key) {
            keys.insert(KeyRef(key, value))
          }
        }
      }
    }
  }

  func contains(_ key: KeyRef) -> Bool { keys.contains(key) }
}

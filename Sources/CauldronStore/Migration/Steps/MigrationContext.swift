public import CauldronModel

/// What a step of a ``MigrationPlan`` works with: the objects of a store that is being migrated.
///
/// The store has everything that came and was renamed, and still everything that is to go. Objects are
/// read and written one by one, straight in the file, so that a store of any size takes little memory;
/// no code of classes runs, and no rules are asked but that required values are there and unique ones
/// differ, once all steps are done.
///
/// A mistake, such as a name that is unknown, ends the migration even where its error is caught. A
/// context is of no use once its step has ended.
public final class MigrationContext {
  let names: MigrationNames
  let tables: any MigrationTables
  /// The first mistake.
  package private(set) var failure: (any Error)?
  private var isOver = false
  private var deletions = 0

  package init(mapping: ModelMapping, tables: any MigrationTables) {
    names = MigrationNames(mapping: mapping)
    self.tables = tables
  }

  /// Does something with every object of an entity and of those below it, in the order of their keys.
  ///
  /// Objects that are made meanwhile are left out.
  /// - Parameters:
  ///   - entity: The name in the store; of an entity that came, in the model.
  ///   - body: Is given the object as the store has it now, and what writes to it.
  /// - Throws: `migration.noPath` where nothing has a name; what the body throws.
  /// - Complexity: Two statements for each object that is read and written, and one for every thousand.
  public func each(
    _ entity: String, _ body: (_ old: MigrationRow, _ new: MigrationDraft) throws -> Void
  ) throws {
    let parts = try run { try names.rows(entity) }
    for rows in parts {
      let last = try run { try tables.lastKey(of: rows) }
      var key: Int64 = 0
      while key < last {
        let page = try run {
          try tables.page(of: rows, after: key, through: last, limit: 1000)
        }
        guard let end = page.last?.key else { break }
        let before = deletions
        for place in page {
          // A page is a little older than what the body does.
          if deletions != before, try !run({ try tables.has(place) }) { continue }
          try pass(place, to: body)
        }
        try run { try tables.pass(page.count) }
        key = end
      }
    }
  }

  private func pass(
    _ place: MigrationPlace, to body: (MigrationRow, MigrationDraft) throws -> Void
  ) throws {
    let draft = MigrationDraft(self, place)
    try body(MigrationRow(self, place), draft)
    try check()
    try draft.write()
  }

  /// The number of objects of an entity and of those below it.
  /// - Parameter entity: The name in the store; of an entity that came, in the model.
  public func count(_ entity: String) throws -> Int {
    try run { try names.rows(entity).reduce(0) { try $0 + tables.count(of: $1) } }
  }

  /// Makes an object, with the defaults of the model and what a closure gives it.
  /// - Parameter entity: The name in the model.
  @discardableResult
  public func insert(
    _ entity: String, _ fill: (_ new: MigrationDraft) throws -> Void = { _ in }
  ) throws -> MigrationID {
    let place = try run {
      let layout = try names.concrete(entity)
      return MigrationPlace(layout, try tables.key(for: layout))
    }
    let draft = MigrationDraft(self, place, isNew: true)
    try fill(draft)
    try check()
    try draft.write()
    return place.id
  }

  /// Changes one object.
  public func update(
    _ id: MigrationID, _ change: (_ new: MigrationDraft) throws -> Void
  ) throws {
    let draft = MigrationDraft(self, try run { try place(id) })
    try change(draft)
    try check()
    try draft.write()
  }

  /// The first object of an entity, or of those below it, that has a value; nil where there is none.
  /// - Parameters:
  ///   - entity: The name in the model.
  ///   - property: The name of an attribute in the model.
  public func first<Value: AttributeValue>(
    _ entity: String, where property: String, equals value: Value?
  ) throws -> MigrationID? {
    try run {
      let layout = try names.new(entity)
      let attribute = try names.attribute(property, in: layout)
      guard let scalar = attribute.stored(value?.scalar ?? .null) else {
        throw names.mismatch(attribute, of: layout)
      }
      return try tables.first(attribute, of: layout, equals: scalar)?.id
    }
  }

  /// Deletes an object: references to it become nil, and its links are taken out. What is below it
  /// stays, whatever the delete rules say.
  public func delete(_ id: MigrationID) throws {
    try run {
      try tables.delete(try place(id))
      deletions += 1
    }
  }

  /// Where a relationship of an object leads to, in order.
  /// - Parameter relationship: The name in the model.
  public func links(_ id: MigrationID, _ relationship: String) throws -> [MigrationID] {
    try run {
      let place = try place(id)
      let property = try names.relationship(relationship, in: place.entity)
      return try tables.links(MigrationProperty(property, place.entity, isOld: false), key: id.key)
        .map(\.id)
    }
  }

  /// Leads a relationship to an object: a to-one to this one alone, a to-many also to this one. The
  /// inverse follows.
  /// - Parameters:
  ///   - relationship: The name in the model.
  ///   - other: The object; nil for none, of a to-one.
  public func link(_ id: MigrationID, _ relationship: String, to other: MigrationID?) throws {
    try run {
      let place = try place(id)
      let property = try names.relationship(relationship, in: place.entity)
      if other == nil, property.kind == .toMany { throw manyToNothing(property, of: place.entity) }
      try tables.link(
        place, property, to: try other.map { try target($0, of: property, in: place.entity) })
    }
  }

  /// Has a relationship no longer lead to an object.
  public func unlink(_ id: MigrationID, _ relationship: String, from other: MigrationID) throws {
    try run {
      let place = try place(id)
      let property = try names.relationship(relationship, in: place.entity)
      try tables.unlink(place, property, from: try target(other, of: property, in: place.entity))
    }
  }
}

extension MigrationContext {
  /// Ends the use of the context.
  package func end() { isOver = true }

  /// Notes a mistake, to be thrown as soon as that is possible.
  func note(_ error: any Error) { failure = failure ?? error }

  /// Throws the first mistake, whether or not it was caught.
  package func check() throws { if let failure { throw failure } }

  /// Does what may not fail, whoever catches the error.
  func run<R>(_ work: () throws -> R) throws -> R {
    try check()
    do {
      if isOver {
        throw CauldronError(
          .migrationStepFailed, "Cannot use the context of a step that has ended.",
          hint: "Do everything before the step's closure returns.")
      }
      return try work()
    } catch {
      note(error)
      throw error
    }
  }

  /// The row of an object of the model.
  private func place(_ id: MigrationID) throws -> MigrationPlace {
    guard !id.isGone, let entity = names.mapping.destination.layout(named: id.entity) else {
      throw CauldronError(
        .migrationNoPath, "Cannot write to \(id): the model has no entity \(id.entity).",
        hint: "Its objects go with the migration."
      ).with { $0.entity = id.entity }
    }
    let place = MigrationPlace(entity, id.key)
    guard try tables.has(place) else {
      throw CauldronError(
        .objectNotFound, "Cannot find \(id): it was deleted, or is not inserted yet."
      )
      .with { $0.entity = id.entity }
    }
    return place
  }

  private func manyToNothing(
    _ property: PropertyLayout, of entity: EntityLayout
  ) -> CauldronError {
    CauldronError(
      .queryTypeMismatch,
      "Cannot lead \(entity.name).\(property.name) to nothing: it leads to any number of objects.",
      hint: "Take the links out one by one: unlink(_:_:from:) for each of links(_:_:)."
    ).about(entity, property: property)
  }

  private func target(
    _ id: MigrationID, of property: PropertyLayout, in entity: EntityLayout
  ) throws -> MigrationPlace {
    let place = try place(id)
    guard let destination = property.destination?.entity, place.entity.isKind(of: destination)
    else {
      throw CauldronError(
        .queryTypeMismatch,
        "Cannot lead \(entity.name).\(property.name) to \(id): it leads to \(property.typeName)."
      ).about(entity, property: property)
    }
    return place
  }
}

/// An object as the store has it while it is being migrated, by the names of the store.
///
/// What is to go still has its values; what goes on has the present ones, with what steps before have
/// written. Of an entity that came, the names are those of the model.
public final class MigrationRow {
  /// The object's identity.
  public let id: MigrationID
  private let context: MigrationContext
  private let place: MigrationPlace

  init(_ context: MigrationContext, _ place: MigrationPlace) {
    self.context = context
    self.place = place
    id = place.id
  }

  /// The value of an attribute; nil for none.
  ///
  /// A name that is unknown, and a value that is none of the type, end the migration.
  public subscript<Value: AttributeValue>(name: String) -> Value? {
    context.attempt {
      let attribute = try context.names.old(name, of: place)
      return try context.read(attribute, key: place.key)
    }
  }

  /// The value of an attribute as the store keeps it; nil for none.
  public subscript(name: String) -> AttributeScalar? {
    context.attempt {
      let attribute = try context.names.old(name, of: place)
      return try context.scalar(attribute, key: place.key)
    }
  }

  /// Where a relationship leads to, in order.
  public func links(_ name: String) throws -> [MigrationID] {
    try context.run {
      let property = try context.names.old(name, of: place)
      try context.names.requireRelationship(property)
      return try context.tables.links(property, key: place.key).map(\.id)
    }
  }

  /// Where a to-one relationship leads to; of another one, the first object.
  public func link(_ name: String) throws -> MigrationID? { try links(name).first }
}

extension MigrationContext {
  /// What is read, or nil after a mistake, which is thrown later.
  func attempt<R>(_ work: () throws -> R?) -> R? { try? run(work) }

  /// The value in the row with a key; nil for none.
  func scalar(_ property: MigrationProperty, key: Int64) throws -> AttributeScalar? {
    guard property.property.attributeType != nil else {
      throw names.noAttribute(property.property, of: property.entity)
    }
    let scalar = try tables.value(property, key: key)
    return scalar.isNull ? nil : scalar
  }

  func read<Value: AttributeValue>(_ property: MigrationProperty, key: Int64) throws -> Value? {
    try scalar(property, key: key).map {
      try value($0, for: property.property, of: property.entity)
    }
  }

  /// A scalar as a value of the type that is asked for.
  func value<Value: AttributeValue>(
    _ scalar: AttributeScalar, for property: PropertyLayout, of entity: EntityLayout
  ) throws -> Value {
    guard let value = Value.value(of: scalar) else {
      throw CauldronError(
        .queryTypeMismatch,
        "Cannot read \(entity.name).\(property.name), which is \(property.typeName), as \(Value.self)."
      ).about(entity, property: property)
    }
    return value
  }
}

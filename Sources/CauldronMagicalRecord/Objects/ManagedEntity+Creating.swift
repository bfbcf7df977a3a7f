public import Cauldron
public import Foundation

extension ManagedEntity {
  /// Creates an object in a context; nil where the context's model has not the class.
  @available(*, deprecated, renamed: "create(in:)")
  @discardableResult
  public static func mr_createEntity(in context: some ObjectContext) -> Self? {
    let context = context.managedObjectContext
    return MagicalRecord.attempt(in: context) {
      _ = try entityDescription(in: context)
      return create(in: context)
    }
  }

  /// Creates an object in the default context; nil where its model has not the class.
  @available(*, deprecated, renamed: "create()")
  @MainActor @discardableResult
  public static func mr_createEntity() -> Self? {
    mr_createEntity(in: ManagedObjectContext.default)
  }

  /// Creates an object in a context; nil where the context's model has not the class.
  @available(*, deprecated, renamed: "create(in:)")
  @discardableResult
  public static func mr_create(in context: some ObjectContext) -> Self? {
    mr_createEntity(in: context)
  }
}

extension ManagedEntity {
  /// The first object with a value; where there is none, a new one that has it.
  ///
  /// Where the attribute is unique, there is never a second one; elsewhere two contexts that ask at once
  /// make two, as before. An error is reported, and an object made that may lack the value.
  @available(*, deprecated, message: "use 'findOrCreate(\\.name, \"jack\", in: context)'")
  @discardableResult
  public static func mr_findFirstOrCreate(
    byAttribute attribute: String, withValue value: Any?, in context: some ObjectContext
  ) -> Self {
    let owner = context.managedObjectContext
    let found = MagicalRecord.attempt(in: owner) {
      let request = try oldRequest(equality(of: attribute, with: value))
      return try unique(request, in: context) ?? context.fetchFirst(request)
    }
    if let found = found ?? nil { return found }
    let made = create(in: owner)
    if made.entity.properties.contains(where: { $0.name == attribute }) {
      MagicalRecord.attempt(in: owner) {
        try made.setValue(FormatValue.plain(value), forKey: attribute)
      }
    }
    return made
  }

  /// The first object of the default context with a value; where there is none, a new one that has it.
  @available(*, deprecated, message: "use 'findOrCreate(\\.name, \"jack\")'")
  @MainActor @discardableResult
  public static func mr_findFirstOrCreate(
    byAttribute attribute: String, withValue value: Any?
  ) -> Self {
    mr_findFirstOrCreate(
      byAttribute: attribute, withValue: value, in: ManagedObjectContext.default)
  }

  /// The object with a value of a unique attribute, found or created; nil where it is not unique.
  private static func unique(
    _ request: FetchRequest<Self>, in context: some ObjectContext
  ) throws -> Self? {
    guard case .comparison(.property(let path), .equal, .value(let scalar), _)? = request.predicate
    else { return nil }
    do {
      return try context.managedObjectContext.findOrCreateObject(Self.self, [(path.text, scalar)])
    } catch let error as CauldronError where error.code == .queryUnsupported {
      return nil
    }
  }
}

// An error is reported, and false returned.

extension ManagedEntity {
  /// Marks the objects deleted that a predicate selects.
  /// - Returns: Whether they could be found; true where there are none, too.
  @available(
    *, deprecated, message: "use 'deleteAll(where: …, in: context)', or 'matching:' with a format"
  )
  @discardableResult
  public static func mr_deleteAll(
    matching predicate: NSPredicate, in context: some ObjectContext
  ) -> Bool {
    MagicalRecord.attempt(in: context.managedObjectContext) {
      try deleteAll(where: Where(predicate.condition()), in: context)
    } != nil
  }

  /// Marks the objects deleted that a predicate selects in the default context.
  @available(*, deprecated, message: "use 'deleteAll(where: …)', or 'matching:' with a format")
  @MainActor @discardableResult
  public static func mr_deleteAll(matching predicate: NSPredicate) -> Bool {
    mr_deleteAll(matching: predicate, in: ManagedObjectContext.default)
  }

  /// Marks all objects deleted, those of subentities included.
  /// - Returns: Whether they could be found; true where there are none, too.
  @available(*, deprecated, message: "use 'try deleteAll(where: nil, in: context)'")
  @discardableResult
  public static func mr_truncateAll(in context: some ObjectContext) -> Bool {
    MagicalRecord.attempt(in: context.managedObjectContext) {
      try deleteAll(where: nil, in: context)
    } != nil
  }

  /// Marks all objects of the default context deleted, those of subentities included.
  @available(*, deprecated, message: "use 'try deleteAll(where: nil)'")
  @MainActor @discardableResult
  public static func mr_truncateAll() -> Bool {
    mr_truncateAll(in: ManagedObjectContext.default)
  }
}

extension ManagedObject {
  /// Marks the object deleted.
  /// - Returns: True, as always.
  @available(*, deprecated, renamed: "delete()")
  @discardableResult
  public final func mr_deleteEntity() -> Bool {
    delete()
    return true
  }

  /// Marks the object deleted in another context.
  /// - Returns: Whether that context could be asked; true where it has not the object, too.
  @available(*, deprecated, renamed: "delete(in:)")
  @discardableResult
  public final func mr_deleteEntity(in context: some ObjectContext) -> Bool {
    MagicalRecord.attempt(in: context.managedObjectContext) { try delete(in: context) } != nil
  }

  /// Marks the object deleted in another context.
  @available(*, deprecated, renamed: "delete(in:)")
  @discardableResult
  public final func mr_delete(in context: some ObjectContext) -> Bool {
    mr_deleteEntity(in: context)
  }
}

extension ManagedEntity {
  /// The name of the class's entity.
  @available(*, deprecated, renamed: "getter:entityName()")
  public static func mr_entityName() -> String { entityName }

  /// The description of the class's entity in the default context; nil where its model has not the
  /// class.
  @available(*, deprecated, message: "use 'try entityDescription(in: .default)'")
  @MainActor
  public static func mr_entityDescription() -> EntityDescription? {
    mr_entityDescription(in: ManagedObjectContext.default)
  }

  /// The description of the class's entity; nil where the context's model has not the class.
  @available(*, deprecated, renamed: "entityDescription(in:)")
  public static func mr_entityDescription(in context: some ObjectContext) -> EntityDescription? {
    let context = context.managedObjectContext
    return MagicalRecord.attempt(in: context) { try entityDescription(in: context) }
  }

  /// The descriptions of properties in the default context; a name that none has is reported and
  /// left out.
  @available(*, deprecated, message: "use 'try properties(named: …, in: .default)'")
  @MainActor
  public static func mr_propertiesNamed(_ names: [String]) -> [PropertyDescription]? {
    mr_propertiesNamed(names, in: ManagedObjectContext.default)
  }

  /// The descriptions of properties; a name that none has is reported and left out.
  @available(*, deprecated, renamed: "properties(named:in:)")
  public static func mr_propertiesNamed(
    _ names: [String], in context: some ObjectContext
  ) -> [PropertyDescription]? {
    let context = context.managedObjectContext
    return names.flatMap { name in
      MagicalRecord.attempt(in: context) { try properties(named: [name], in: context) } ?? []
    }
  }

  /// How many rows a request in an order reads at a time.
  @available(*, deprecated, message: "see 'fetchBatchSize' of a request")
  public static func mr_defaultBatchSize() -> UInt { UInt(MagicalRecord.defaultBatchSize) }

  /// Sets how many rows each request in an order reads at a time.
  @available(*, deprecated, message: "set 'fetchBatchSize' of a request")
  public static func mr_setDefaultBatchSize(_ size: UInt) {
    MagicalRecord.defaultBatchSize = Int(clamping: size)
  }
}

extension ManagedObject {
  /// The object in another context; nil where it does not exist there, which is reported.
  @available(*, deprecated, renamed: "in(_:)")
  public final func mr_(in context: some ObjectContext) -> Self? {
    let found = MagicalRecord.attempt(in: context.managedObjectContext) {
      try context.existingObject(with: objectID) as? Self
    }
    return found ?? nil
  }

  /// There is no context of the current thread.
  @available(*, unavailable, message: "name the context: 'person.in(context)'")
  public final func mr_inThreadContext() -> Self? { nil }
}

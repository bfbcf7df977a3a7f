public import Cauldron
public import Foundation

// An error is reported, and nil returned.

extension ManagedEntity {
  /// All objects, in no order.
  @available(*, deprecated, renamed: "findAll(in:)")
  public static func mr_findAll(in context: some ObjectContext) -> [Self]? {
    found(context) { try oldRequest() }
  }

  /// All objects in the order of terms in a text.
  @available(*, deprecated, renamed: "findAll(sortedBy:ascending:in:)")
  public static func mr_findAllSorted(
    by terms: String, ascending: Bool, in context: some ObjectContext
  ) -> [Self]? {
    found(context) { try oldRequest(sortedBy: terms, ascending: ascending) }
  }

  /// The objects that a predicate selects, in the order of terms in a text.
  @available(*, deprecated, message: "use 'findAll(matching: …, sortedBy: \\.name, in: context)'")
  public static func mr_findAllSorted(
    by terms: String, ascending: Bool, with predicate: NSPredicate?, in context: some ObjectContext
  ) -> [Self]? {
    found(context) { try oldRequest(predicate, sortedBy: terms, ascending: ascending) }
  }

  /// The objects that a predicate selects; nil for all.
  @available(
    *, deprecated, message: "use 'findAll(where: …, in: context)', or 'matching:' with a format"
  )
  public static func mr_findAll(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> [Self]? {
    found(context) { try oldRequest(predicate) }
  }

  /// All objects with a value.
  @available(*, deprecated, message: "use 'findAll(\\.team, \"red\", in: context)'")
  public static func mr_find(
    byAttribute attribute: String, withValue value: Any?, in context: some ObjectContext
  ) -> [Self]? {
    found(context) { try oldRequest(equality(of: attribute, with: value)) }
  }

  /// All objects with a value, in the order of terms in a text.
  @available(
    *, deprecated, message: "use 'findAll(\\.team, \"red\", sortedBy: \\.name, in: context)'"
  )
  public static func mr_find(
    byAttribute attribute: String, withValue value: Any?, andOrderBy terms: String?,
    ascending: Bool, in context: some ObjectContext
  ) -> [Self]? {
    found(context) {
      try oldRequest(equality(of: attribute, with: value), sortedBy: terms, ascending: ascending)
    }
  }

  private static func found(
    _ context: some ObjectContext, call: String = #function,
    _ request: () throws -> FetchRequest<Self>
  ) -> [Self]? {
    MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      try context.fetch(request())
    }
  }
}

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// All objects of the default context, in no order.
  @available(*, deprecated, renamed: "findAll()")
  @MainActor
  public static func mr_findAll() -> [Self]? { mr_findAll(in: ManagedObjectContext.default) }

  /// All objects of the default context in the order of terms in a text.
  @available(*, deprecated, renamed: "findAll(sortedBy:ascending:)")
  @MainActor
  public static func mr_findAllSorted(by terms: String, ascending: Bool) -> [Self]? {
    mr_findAllSorted(by: terms, ascending: ascending, in: ManagedObjectContext.default)
  }

  /// The objects that a predicate selects in the default context, in the order of terms in a text.
  @available(*, deprecated, message: "use 'findAll(matching: …, sortedBy: \\.name)'")
  @MainActor
  public static func mr_findAllSorted(
    by terms: String, ascending: Bool, with predicate: NSPredicate?
  ) -> [Self]? {
    mr_findAllSorted(
      by: terms, ascending: ascending, with: predicate, in: ManagedObjectContext.default)
  }

  /// The objects that a predicate selects in the default context; nil for all.
  @available(*, deprecated, message: "use 'findAll(where: …)', or 'matching:' with a format")
  @MainActor
  public static func mr_findAll(with predicate: NSPredicate?) -> [Self]? {
    mr_findAll(with: predicate, in: ManagedObjectContext.default)
  }

  /// All objects of the default context with a value.
  @available(*, deprecated, message: "use 'findAll(\\.team, \"red\")'")
  @MainActor
  public static func mr_find(
    byAttribute attribute: String, withValue value: Any?
  ) -> [Self]? {
    mr_find(byAttribute: attribute, withValue: value, in: ManagedObjectContext.default)
  }

  /// All objects of the default context with a value, in the order of terms in a text.
  @available(*, deprecated, message: "use 'findAll(\\.team, \"red\", sortedBy: \\.name)'")
  @MainActor
  public static func mr_find(
    byAttribute attribute: String, withValue value: Any?, andOrderBy terms: String?, ascending: Bool
  ) -> [Self]? {
    mr_find(
      byAttribute: attribute, withValue: value, andOrderBy: terms, ascending: ascending,
      in: ManagedObjectContext.default)
  }
}

// An error is reported, and nil returned.

extension ManagedEntity {
  /// Any object; nil if there is none.
  @available(*, deprecated, renamed: "findFirst(in:)")
  public static func mr_findFirst(in context: some ObjectContext) -> Self? {
    first(context) { try oldRequest() }
  }

  /// The first object that a predicate selects; nil if there is none.
  @available(
    *, deprecated, message: "use 'findFirst(where: …, in: context)', or 'matching:' with a format"
  )
  public static func mr_findFirst(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(predicate) }
  }

  /// The first object that a predicate selects, in the order of terms in a text.
  @available(
    *, deprecated, message: "use 'findFirst(where: …, sortedBy: \\.name, in: context)'"
  )
  public static func mr_findFirst(
    with predicate: NSPredicate?, sortedBy terms: String?, ascending: Bool,
    in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(predicate, sortedBy: terms, ascending: ascending) }
  }

  /// The first object that a predicate selects; it has all attributes.
  @available(*, deprecated, message: "use 'findFirst(where: …, in: context)'")
  public static func mr_findFirst(
    with predicate: NSPredicate?, andRetrieveAttributes attributes: [Any]?,
    in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(predicate) }
  }

  /// The first object with a value; nil if there is none.
  @available(*, deprecated, message: "use 'findFirst(\\.name, \"jack\", in: context)'")
  public static func mr_findFirst(
    byAttribute attribute: String, withValue value: Any?, in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(equality(of: attribute, with: value)) }
  }

  /// The first object in the order of terms in a text; nil if there is none.
  @available(*, deprecated, renamed: "findFirst(sortedBy:ascending:in:)")
  public static func mr_findFirstOrdered(
    byAttribute terms: String, ascending: Bool, in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(sortedBy: terms, ascending: ascending) }
  }

  private static func first(
    _ context: some ObjectContext, call: String = #function,
    _ request: () throws -> FetchRequest<Self>
  ) -> Self? {
    let found = MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      try context.fetchFirst(request())
    }
    return found ?? nil
  }
}

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// Any object of the default context; nil if there is none.
  @available(*, deprecated, renamed: "findFirst()")
  @MainActor
  public static func mr_findFirst() -> Self? { mr_findFirst(in: ManagedObjectContext.default) }

  /// The first object that a predicate selects in the default context.
  @available(*, deprecated, message: "use 'findFirst(where: …)', or 'matching:' with a format")
  @MainActor
  public static func mr_findFirst(with predicate: NSPredicate?) -> Self? {
    mr_findFirst(with: predicate, in: ManagedObjectContext.default)
  }

  /// The first object that a predicate selects in the default context, in the order of terms in a
  /// text.
  @available(*, deprecated, message: "use 'findFirst(where: …, sortedBy: \\.name)'")
  @MainActor
  public static func mr_findFirst(
    with predicate: NSPredicate?, sortedBy terms: String?, ascending: Bool
  ) -> Self? {
    mr_findFirst(
      with: predicate, sortedBy: terms, ascending: ascending, in: ManagedObjectContext.default)
  }

  /// The first object that a predicate selects in the default context; it has all attributes.
  @available(*, deprecated, message: "use 'findFirst(where: …)'")
  @MainActor
  public static func mr_findFirst(
    with predicate: NSPredicate?, andRetrieveAttributes attributes: [Any]?
  ) -> Self? {
    mr_findFirst(with: predicate, in: ManagedObjectContext.default)
  }

  /// The first object of the default context with a value; nil if there is none.
  @available(*, deprecated, message: "use 'findFirst(\\.name, \"jack\")'")
  @MainActor
  public static func mr_findFirst(
    byAttribute attribute: String, withValue value: Any?
  ) -> Self? {
    mr_findFirst(byAttribute: attribute, withValue: value, in: ManagedObjectContext.default)
  }

  /// The first object of the default context in the order of terms in a text.
  @available(*, deprecated, renamed: "findFirst(sortedBy:ascending:)")
  @MainActor
  public static func mr_findFirstOrdered(byAttribute terms: String, ascending: Bool) -> Self? {
    mr_findFirstOrdered(
      byAttribute: terms, ascending: ascending, in: ManagedObjectContext.default)
  }
}

// An error is reported, and nil returned. The call's name depended on the SDK.

extension ManagedEntity {
  /// The objects that a request selects.
  @available(*, deprecated, message: "use 'try context.fetch(request)'")
  public static func mr_execute(
    _ request: FetchRequest<Self>, in context: some ObjectContext
  ) -> [Self]? {
    MagicalRecord.attempt(in: context.managedObjectContext) { try context.fetch(request) }
  }

  /// The objects that a request selects in the default context.
  @available(*, deprecated, message: "use 'try ManagedObjectContext.default.fetch(request)'")
  @MainActor
  public static func mr_execute(_ request: FetchRequest<Self>) -> [Self]? {
    mr_execute(request, in: ManagedObjectContext.default)
  }

  /// The objects that a request selects.
  @available(*, deprecated, message: "use 'try context.fetch(request)'")
  public static func mr_executeFetchRequest(
    _ request: FetchRequest<Self>, in context: some ObjectContext
  ) -> [Self]? { mr_execute(request, in: context) }

  /// The objects that a request selects in the default context.
  @available(*, deprecated, message: "use 'try ManagedObjectContext.default.fetch(request)'")
  @MainActor
  public static func mr_executeFetchRequest(_ request: FetchRequest<Self>) -> [Self]? {
    mr_execute(request, in: ManagedObjectContext.default)
  }

  /// The first object that a request selects, which is not changed; nil if there is none.
  @available(*, deprecated, message: "use 'try context.fetchFirst(request)'")
  public static func mr_executeFetchRequestAndReturnFirstObject(
    _ request: FetchRequest<Self>, in context: some ObjectContext
  ) -> Self? {
    MagicalRecord.attempt(in: context.managedObjectContext) { try context.fetchFirst(request) }
      ?? nil
  }

  /// The first object that a request selects in the default context; nil if there is none.
  @available(*, deprecated, message: "use 'try ManagedObjectContext.default.fetchFirst(request)'")
  @MainActor
  public static func mr_executeFetchRequestAndReturnFirstObject(
    _ request: FetchRequest<Self>
  ) -> Self? {
    mr_executeFetchRequestAndReturnFirstObject(request, in: ManagedObjectContext.default)
  }
}

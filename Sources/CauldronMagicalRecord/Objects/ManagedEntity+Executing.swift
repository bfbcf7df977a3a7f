public import Cauldron

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

public import Cauldron

// Orders that come as text, as MagicalRecord's callers write them; the fetch checks their keys.

extension ManagedEntity {
  /// The objects that a condition selects, sorted by terms in a text.
  ///
  /// ```swift
  /// let people = try Person.findAll(sortedBy: "age:NO,name", in: context)
  /// ```
  /// - Parameters:
  ///   - condition: Which objects; nil for all.
  ///   - terms: The order; see ``SortKey/terms(_:ascending:)``.
  ///   - ascending: The direction of terms that name none; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  ///   - context: The context to look in.
  /// - Throws: `query.unsupported` for terms that are none, `query.unknownKey`; `store.…`.
  /// - Complexity: As `findAll(where:sortedBy:ascending:limit:offset:in:)` of Cauldron.
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    var request = fetchRequest(where: condition, limit: limit, offset: offset)
    request.sortKeys = try SortKey.terms(terms, ascending: ascending)
    return try context.fetch(request)
  }

  /// The first object that a condition selects, in the order of terms in a text; nil if there is none.
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true,
    in context: some ObjectContext
  ) throws -> Self? {
    try findAll(
      where: condition, sortedBy: terms, ascending: ascending, limit: 1, in: context
    ).first
  }

  /// The objects that a condition selects, in the default context, sorted by terms in a text.
  @MainActor
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try findAll(
      where: condition, sortedBy: terms, ascending: ascending, limit: limit, offset: offset,
      in: ManagedObjectContext.default)
  }

  /// The first object that a condition selects, in the default context, in the order of terms in a
  /// text.
  @MainActor
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true
  ) throws -> Self? {
    try findFirst(
      where: condition, sortedBy: terms, ascending: ascending, in: ManagedObjectContext.default)
  }
}

extension ManagedEntity {
  /// A list of all objects for which a condition holds, in the default context, fetched on the main thread.
  /// - Throws: `query.…`, `store.…`, `stack.closed`.
  /// - Complexity: As a fetch.
  @MainActor
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func fetchAll(
    where condition: Where<Self>? = nil,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true, groupedBy section: SectionKey<Self>? = nil,
    delegate: (any FetchedResultsControllerDelegate<Self>)? = nil
  ) throws -> FetchedResultsController<Self> {
    var request = fetchRequest(where: condition)
    request.sortKeys = keys(of: order, ascending: ascending)
    return try list(of: request, groupedBy: section, delegate: delegate, in: .default)
  }

  /// A list of all objects for which a condition holds, fetched on the calling thread, which is that of the
  /// context's queue.
  ///
  /// ```swift
  /// let list = try Person.fetchAll(
  ///   where: \.age >= 18, sortedBy: \.name, groupedBy: .firstLetter(of: \.name), delegate: self,
  ///   in: context)
  /// ```
  /// - Parameters:
  ///   - condition: Nil, the default, for all objects.
  ///   - order: The values to sort by; by default the order of their IDs.
  ///   - ascending: The direction of values that name none; true by default.
  ///   - section: What divides the list, and is sorted by first; nothing by default.
  ///   - delegate: Who shows the list; not kept.
  ///   - context: Where the list lives; kept.
  /// - Throws: `query.…`, `store.…`, `stack.closed`.
  /// - Complexity: As a fetch.
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func fetchAll(
    where condition: Where<Self>? = nil,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true, groupedBy section: SectionKey<Self>? = nil,
    delegate: (any FetchedResultsControllerDelegate<Self>)? = nil,
    in context: ManagedObjectContext
  ) throws -> FetchedResultsController<Self> {
    var request = fetchRequest(where: condition)
    request.sortKeys = keys(of: order, ascending: ascending)
    return try list(of: request, groupedBy: section, delegate: delegate, in: context)
  }

  private static func list(
    of request: FetchRequest<Self>, groupedBy section: SectionKey<Self>?,
    delegate: (any FetchedResultsControllerDelegate<Self>)?, in context: ManagedObjectContext
  ) throws -> FetchedResultsController<Self> {
    let list = FetchedResultsController(request, in: context, sectionBy: section)
    list.delegate = delegate
    try list.performFetchAndWait()
    return list
  }
}

extension ManagedEntity {
  /// The descriptions of properties, inherited ones included, in the order of their names as given.
  ///
  /// ```swift
  /// let columns = try Person.properties(named: ["name", "age"], in: context)
  /// ```
  /// - Throws: `query.unknownKey` for a name that no property has; `model.unknownEntity`.
  public static func properties(
    named names: [String], in context: some ObjectContext
  ) throws -> [PropertyDescription] {
    let layout = try entityLayout(in: context)
    return try names.map { name in
      if let found = layout.properties.first(where: { $0.name == name }) {
        return found.description
      }
      throw CauldronError(
        .queryUnknownKey, "Entity \"\(layout.name)\" has no property \"\(name)\".",
        hint: Suggestion.hint(for: name, among: layout.declaredProperties.map(\.name))
      ).with {
        $0.entity = layout.name
        $0.property = name
      }
    }
  }
}

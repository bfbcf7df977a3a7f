public import CauldronGraph
public import CauldronModel
public import Foundation

// MagicalRecord's calls for lists, by their names.
extension ManagedEntity {
  /// A list of the objects that a request selects; it is empty until ``performFetch(_:)``.
  ///
  /// ```swift
  /// let list = Person.fetchController(Person.fetchRequest(sortedBy: \.name), delegate: self, in: context)
  /// ```
  /// - Parameters:
  ///   - request: Which objects, in which order.
  ///   - delegate: Who shows the list; not kept.
  ///   - section: What divides the list; nothing by default.
  ///   - context: Where the list lives; kept.
  public static func fetchController(
    _ request: FetchRequest<Self>, delegate: (any FetchedResultsControllerDelegate<Self>)? = nil,
    groupedBy section: SectionKey<Self>? = nil, in context: ManagedObjectContext
  ) -> FetchedResultsController<Self> {
    let list = FetchedResultsController(request, in: context, sectionBy: section)
    list.delegate = delegate
    return list
  }

  /// A list of the objects that a request selects in the default context; empty until it is fetched.
  /// - Parameters:
  ///   - request: Which objects, in which order.
  ///   - delegate: Who shows the list; not kept.
  ///   - section: What divides the list; nothing by default.
  @MainActor
  public static func fetchController(
    _ request: FetchRequest<Self>, delegate: (any FetchedResultsControllerDelegate<Self>)? = nil,
    groupedBy section: SectionKey<Self>? = nil
  ) -> FetchedResultsController<Self> {
    fetchController(request, delegate: delegate, groupedBy: section, in: .default)
  }

  /// A list of all objects for which a condition holds, in the default context, fetched on the main thread.
  /// - Throws: `query.…`, `store.…`, `stack.closed`.
  /// - Complexity: As a fetch.
  @MainActor
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func fetchAll(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>? = nil,
    ascending: Bool = true, groupedBy section: SectionKey<Self>? = nil,
    delegate: (any FetchedResultsControllerDelegate<Self>)? = nil
  ) throws -> FetchedResultsController<Self> {
    try fetchAll(
      where: condition, sortedBy: path, ascending: ascending, groupedBy: section,
      delegate: delegate, in: .default)
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
  ///   - path: Nil, the default, for the order of their IDs.
  ///   - ascending: Whether the smallest value comes first; true by default.
  ///   - section: What divides the list, and is sorted by first; nothing by default.
  ///   - delegate: Who shows the list; not kept.
  ///   - context: Where the list lives; kept.
  /// - Throws: `query.…`, `store.…`, `stack.closed`.
  /// - Complexity: As a fetch.
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func fetchAll(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>? = nil,
    ascending: Bool = true, groupedBy section: SectionKey<Self>? = nil,
    delegate: (any FetchedResultsControllerDelegate<Self>)? = nil,
    in context: ManagedObjectContext
  ) throws -> FetchedResultsController<Self> {
    var query = condition.map { Self.where($0) } ?? ObjectQuery<Self>()
    if let path { query = query.sorted(by: path, ascending: ascending) }
    let list = fetchController(query.request, delegate: delegate, groupedBy: section, in: context)
    try list.performFetchAndWait()
    return list
  }

  /// Fetches a list in the background.
  /// - Throws: As ``FetchedResultsController/performFetch()``.
  public nonisolated(nonsending) static func performFetch(
    _ list: FetchedResultsController<Self>
  ) async throws { try await list.performFetch() }
}

extension FetchedResultsController where Object: ManagedEntity {
  /// Makes a list of a query's objects; it is empty until ``performFetch()``.
  ///
  /// ```swift
  /// let list = FetchedResultsController(
  ///   Person.where(\.age >= 18).sorted(by: \.name), in: .default, sectionBy: .firstLetter(of: \.name))
  /// ```
  /// - Parameters:
  ///   - query: Which objects, in which order.
  ///   - context: Where; kept.
  ///   - section: What divides the list; nothing by default.
  ///   - reporting: How the delegate is told; a call for each change by default.
  public convenience init(
    _ query: ObjectQuery<Object>, in context: ManagedObjectContext,
    sectionBy section: SectionKey<Object>? = nil, reporting: FetchedResultsReporting = .changes
  ) {
    self.init(query.request, in: context, sectionBy: section, reporting: reporting)
  }

  /// What the list is of. Setting it has the list show another result as soon as that is whole; the old
  /// one stays until then. Of several that are set in a row only the last is shown.
  ///
  /// ```swift
  /// list.query = Person.where(.contains(\.name, text))   // search as you type
  /// ```
  public var query: ObjectQuery<Object> {
    get { ObjectQuery(fetchRequest) }
    set { fetchRequest = newValue.request }
  }

  /// Has the list show another result, and returns when it does, or when a later one is shown.
  /// - Throws: As ``performFetch()``; then the list stays as it was.
  public nonisolated(nonsending) func setQuery(_ query: ObjectQuery<Object>) async throws {
    try await setRequest(query.request)
  }
}

extension FetchedResultsSnapshot where Object: ManagedEntity {
  /// The value of an attribute at a place, without a context and without an object.
  ///
  /// ```swift
  /// update.snapshot.value(of: \.name, at: 0)
  /// ```
  /// - Complexity: O(log *n*).
  public func value<Value: AttributeValue>(of path: KeyPath<Object, Value>, at place: Int) -> Value
  {
    values(of: path, in: place..<place + 1)[0]
  }

  /// The values of an attribute, in order.
  ///
  /// ```swift
  /// list.snapshot.values(of: \.name)
  /// ```
  /// - Complexity: O(*n*).
  public func values<Value: AttributeValue>(of path: KeyPath<Object, Value>) -> [Value] {
    values(of: path, in: 0..<count)
  }

  /// The values of an attribute in some places, in order.
  /// - Complexity: O(log *n*) and one for each place.
  public func values<Value: AttributeValue>(
    of path: KeyPath<Object, Value>, in places: Range<Int>
  ) -> [Value] {
    let name = KeyPathTable.name(of: path)
    guard let rows else { return [] }
    var result: [Value] = []
    result.reserveCapacity(places.count)
    rows.forEach(in: places) { row in
      guard let property = rows.plan.layout(of: row).properties.first(where: { $0.name == name })
      else { trap("\(Object.self) has no attribute \"\(name)\".") }
      let index = property.index
      result.append(
        Value._read(
          slot: row.slot(index), row: UnsafePointer(row.words), isNull: row.isNull(index)))
    }
    return result
  }
}

extension SectionKey where Object: ManagedEntity {
  /// The values of an attribute.
  public static func value(of path: PartialKeyPath<Object>) -> SectionKey {
    value(KeyPathTable.path(of: path).text)
  }

  /// The first letters of a text attribute, whatever their case and diacritics.
  public static func firstLetter(of path: PartialKeyPath<Object>) -> SectionKey {
    firstLetter(KeyPathTable.path(of: path).text)
  }

  /// The days of a date attribute, called like `2026-11-23`.
  /// - Parameters:
  ///   - path: The attribute.
  ///   - timeZone: Where days begin; the current time zone by default.
  public static func day(
    of path: PartialKeyPath<Object>, in timeZone: TimeZone = .current
  ) -> SectionKey {
    day(KeyPathTable.path(of: path).text, timeZone: timeZone.identifier)
  }

  /// The months of a date attribute, called like `2026-11`.
  /// - Parameters:
  ///   - path: The attribute.
  ///   - timeZone: Where months begin; the current time zone by default.
  public static func month(
    of path: PartialKeyPath<Object>, in timeZone: TimeZone = .current
  ) -> SectionKey {
    month(KeyPathTable.path(of: path).text, timeZone: timeZone.identifier)
  }

  /// Names that a closure makes of an attribute's values; successive values must give successive
  /// names.
  ///
  /// ```swift
  /// sectionBy: .custom(of: \.age) { "\($0 / 10 * 10)s" }
  /// ```
  public static func custom<Value: AttributeValue>(
    of path: KeyPath<Object, Value>, _ name: @escaping @Sendable (Value) -> String
  ) -> SectionKey {
    custom(KeyPathTable.path(of: path).text) { scalar in
      name(Value.shown(for: scalar))
    }
  }
}

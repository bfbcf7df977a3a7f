public import CauldronGraph
public import CauldronLive
public import CauldronModel
public import Foundation

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

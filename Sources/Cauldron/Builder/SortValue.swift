public import CauldronGraph
public import CauldronQuery

/// What objects can be sorted by: a value, or one with its direction and what is left out of account.
///
/// ```swift
/// try Person.findAll(sortedBy: \.employer.name, \.age.descending)
/// try Person.findAll(sortedBy: { $0.name.descending(.ignoringCase) })
/// ```
public protocol SortValue<Root> {
  /// The entity whose objects are sorted.
  associatedtype Root: ManagedEntity
  /// The value with its direction, or with this one where it has none.
  func sortTerm(ascending: Bool) -> SortTerm<Root>
}

extension SortTerm: SortValue {
  /// The term itself, which has a direction.
  public func sortTerm(ascending: Bool) -> SortTerm<Object> { self }
}

extension QueryValue: SortValue {
  /// The value with a direction.
  public func sortTerm(ascending: Bool) -> SortTerm<Root> {
    SortTerm(SortKey(expression, ascending: ascending))
  }

  /// Largest first: `\.age.descending`, or `{ $0.age.descending }`.
  public var descending: SortTerm<Root> { sortTerm(ascending: false) }

  /// Smallest first; nil counts as smaller than all.
  /// - Parameter options: What is left out of account where the values are texts.
  public func ascending(_ options: TextOptions) -> SortTerm<Root> {
    SortTerm(SortKey(expression, ascending: true, options))
  }

  /// Largest first.
  /// - Parameter options: What is left out of account where the values are texts.
  public func descending(_ options: TextOptions) -> SortTerm<Root> {
    SortTerm(SortKey(expression, ascending: false, options))
  }

  /// By language and number, such as `{ $0.name.ascending(.localizedStandard) }`; nil comes first.
  /// - Complexity: No index helps; about a microsecond for each row.
  public func ascending(_ order: TextOrder) -> SortTerm<Root> {
    SortTerm(SortKey(expression, order))
  }

  /// By language and number, from the last one.
  /// - Complexity: No index helps; about a microsecond for each row.
  public func descending(_ order: TextOrder) -> SortTerm<Root> {
    SortTerm(SortKey(expression, ascending: false, order))
  }
}

extension QueryEnumeration: SortValue {
  /// The raw value with a direction.
  public func sortTerm(ascending: Bool) -> SortTerm<Root> {
    SortTerm(SortKey(expression, ascending: ascending))
  }

  /// Largest raw value first.
  public var descending: SortTerm<Root> { sortTerm(ascending: false) }
}

/// A value to sort by with its direction, as ``QueryValue/descending`` makes it.
///
/// ```swift
/// try Person.findAll(sortedBy: \.name, \.age.descending, in: context)
/// ```
public struct SortTerm<Object: ManagedEntity>: Sendable, Hashable {
  /// The value, its direction and how texts are compared.
  public let key: SortKey

  /// A term that is described by itself, such as one whose attribute's name is a text.
  ///
  /// ```swift
  /// try Person.findFirst(sortedBy: { _ in SortTerm(SortKey("name", ascending: false)) })
  /// ```
  public init(_ key: SortKey) { self.key = key }
}

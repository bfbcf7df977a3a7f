public import CauldronGraph
public import CauldronModel

/// What objects can be sorted by in the builder's form: a value, or one with its direction and what
/// is left out of account.
///
/// ```swift
/// try Person.findAll(sortedBy: { $0.employer.name })
/// try Person.findAll(sortedBy: { $0.name.descending(.ignoringCase) })
/// ```
public protocol SortValue<Root> {
  /// The entity whose objects are sorted.
  associatedtype Root: ManagedEntity
  /// The value with its direction.
  var sortTerm: SortTerm<Root> { get }
}

extension SortTerm: SortValue {
  /// The term itself.
  public var sortTerm: SortTerm<Object> { self }
}

extension QueryValue: SortValue {
  /// Smallest first.
  public var sortTerm: SortTerm<Root> { ascending() }

  /// Smallest first; nil counts as smaller than all.
  /// - Parameter options: What is left out of account where the values are texts; nothing by default.
  public func ascending(_ options: TextOptions = []) -> SortTerm<Root> {
    SortTerm(SortKey(expression, ascending: true, options))
  }

  /// Largest first.
  /// - Parameter options: What is left out of account where the values are texts; nothing by default.
  public func descending(_ options: TextOptions = []) -> SortTerm<Root> {
    SortTerm(SortKey(expression, ascending: false, options))
  }
}

extension QueryEnumeration: SortValue {
  /// Smallest raw value first.
  public var sortTerm: SortTerm<Root> { SortTerm(SortKey(expression)) }

  /// Largest raw value first.
  public func descending() -> SortTerm<Root> { SortTerm(SortKey(expression, ascending: false)) }
}

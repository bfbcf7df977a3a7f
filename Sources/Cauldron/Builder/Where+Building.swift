import CauldronGraph
import CauldronModel

extension Where {
  /// A condition in the builder's form, which reaches through relationships.
  ///
  /// ```swift
  /// let atAcme = Where<Person> { $0.employer.name == "Acme" }
  /// ```
  public init(_ build: (QueryPath<Object, Object>) -> Where<Object>) {
    self = build(QueryPath<Object, Object>.root)
  }

  /// Holds where a condition is true, or where it is not.
  public static func == (a: Where, isTrue: Bool) -> Where { isTrue ? a : !a }

  /// Holds where a condition is not true, or where it is.
  public static func != (a: Where, isTrue: Bool) -> Where { isTrue ? !a : a }
}

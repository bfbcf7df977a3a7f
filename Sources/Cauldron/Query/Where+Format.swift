import CauldronGraph
import CauldronModel

extension Where {
  /// Reads a condition from a format string: Core Data's grammar, with arguments.
  ///
  /// ```swift
  /// let adults = try Where<Person>(format: "age >= %@ AND %K CONTAINS[cd] %@", 18, \Person.name, "jö")
  /// ```
  /// - Parameters:
  ///   - format: The condition; the grammar is in <doc:Queries>.
  ///   - arguments: As ``PredicateNode/init(format:_:)`` takes them. A key path to a property of the class
  ///     may stand for `%K`, too.
  /// - Throws: As ``PredicateNode/init(format:_:)``.
  /// - Complexity: O(length).
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads a condition from a format string, with the arguments in a list, and values for its variables.
  /// - Throws: As ``PredicateNode/init(format:_:)``.
  public init(
    format: String, arguments: [Any?], variables: [String: Any?] = [:]
  ) throws {
    let arguments = arguments.map { argument -> Any? in
      (argument as? PartialKeyPath<Object>).map(KeyPathTable.path) ?? argument
    }
    self.init(
      try PredicateNode(format: format, arguments: arguments, variables: variables))
  }
}

extension PredicateNode {
  /// Reads a condition from a format string: Core Data's grammar, with arguments.
  ///
  /// ```swift
  /// var request = FetchRequest<Person>()
  /// request.predicate = try PredicateNode(
  ///   format: "age >= %@ AND ANY skills.name BEGINSWITH[cd] %@", 18, "sw")
  /// ```
  /// Arguments are values and never text of the condition, whatever they hold. What is understood is in
  /// the table of <doc:Queries>. Keys are checked by the fetch.
  /// - Parameters:
  ///   - format: The condition.
  ///   - arguments: One for each `%@`, `%K`, `%d`, `%f` and `%s`, in their order: values of attributes,
  ///     cases of enumerations, objects and their IDs, lists of these, closed ranges for BETWEEN, and
  ///     nil. `%K` takes the name of a property, or a path.
  /// - Throws: `query.unsupported` with the position of what is not understood, `query.typeMismatch`
  ///   for an argument that is missing, left over or of a wrong type, `query.tooDeep`.
  /// - Complexity: O(length).
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads a condition from a format string, with the arguments in a list, and values for its variables.
  ///
  /// ```swift
  /// try PredicateNode(format: "age >= $least", arguments: [], variables: ["least": 18])
  /// ```
  /// - Parameter variables: The values of `$least` and the like, by their names without the sign.
  /// - Throws: As ``init(format:_:)``; also where a variable has no value.
  public init(
    format: String, arguments: [Any?], variables: [String: Any?] = [:]
  ) throws {
    var parser = FormatParser(format, arguments, variables)
    do {
      self = try parser.read().condition()
    } catch let mistake as FormatMistake {
      throw mistake.error("condition", format)
    }
  }
}

extension QueryExpression {
  /// Reads a value from a format string, such as `price * (1 + %@)`: to sort by it, or to select it.
  ///
  /// ```swift
  /// request.sortKeys = [SortKey(try QueryExpression(format: "skills.@count"), ascending: false)]
  /// ```
  /// - Throws: As ``PredicateNode/init(format:_:)``.
  /// - Complexity: O(length).
  public init(format: String, _ arguments: Any?...) throws {
    var parser = FormatParser(format, arguments, [:])
    do {
      self = try parser.read().expression()
    } catch let mistake as FormatMistake {
      throw mistake.error("expression", format)
    }
  }
}

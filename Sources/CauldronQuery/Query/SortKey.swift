package import CauldronModel

/// What to sort by.
public struct SortKey: Sendable, Hashable {
  /// The value: an attribute, one behind to-one relationships, or any other expression.
  public var expression: QueryExpression
  /// Whether the smallest value comes first; nil counts as smaller than all.
  public var ascending: Bool
  /// What is left out of account where the values are texts.
  public var options: TextOptions
  /// How texts are ordered, such as by language and number; nil for byte by byte.
  public var order: TextOrder?

  /// Whether texts are ordered byte by byte.
  package var isPlain: Bool { options.isEmpty && order == nil }

  /// Sorts by an attribute, such as `name`, or by one of what to-one relationships lead to, such as
  /// `employer.name`; in ascending order unless told otherwise.
  public init(_ key: String, ascending: Bool = true, _ options: TextOptions = []) {
    self.init(.property(PropertyPath(key)), ascending: ascending, options)
  }

  /// Sorts by an expression.
  public init(_ expression: QueryExpression, ascending: Bool = true, _ options: TextOptions = []) {
    self.expression = expression
    self.ascending = ascending
    self.options = options
  }

  /// Sorts texts by language and number.
  ///
  /// ```swift
  /// request.sortKeys = [SortKey("employer.name", .localizedStandard)]
  /// ```
  public init(_ key: String, ascending: Bool = true, _ order: TextOrder) {
    self.init(.property(PropertyPath(key)), ascending: ascending, order)
  }

  /// Sorts an expression's texts by language and number.
  public init(_ expression: QueryExpression, ascending: Bool = true, _ order: TextOrder) {
    self.init(expression, ascending: ascending)
    self.order = order
  }

  /// The key as text, such as `employer.name`.
  public var key: String {
    if case .property(let path) = expression { path.text } else { expression.description }
  }

  /// Resolves the value against an entity.
  /// - Parameter hasGroups: Whether an aggregate of `SELF` gathers the rows of a group.
  /// - Throws: `query.…`, also for what has no order.
  package func bound(
    to entity: EntityLayout, _ storeNumber: Int32?, hasGroups: Bool = false
  ) throws -> StoreQuery.SortKey {
    let binder = PredicateBinder(entity: entity, storeNumber: storeNumber, hasGroups: hasGroups)
    var value = try expression.sortable(by: binder)
    if !options.isEmpty { value = try binder.folded(value, by: options) }
    if let order { value = try binder.collated(value, by: order) }
    return StoreQuery.SortKey(value, ascending: ascending)
  }
}

extension SortKey {
  /// Reads sort terms as MagicalRecord writes them: keys between commas, each with a direction of its
  /// own behind a colon if it likes.
  ///
  /// ```swift
  /// try SortKey.terms("name:NO,age")      // by name, from the largest; equal ones by age
  /// ```
  /// Spaces around keys and directions do not count. The direction is YES or NO, true or false, 1 or 0,
  /// asc or desc, in capitals or small letters. Keys are checked by the fetch.
  /// - Parameters:
  ///   - text: The terms; an empty text has none.
  ///   - ascending: The direction of terms that name none; true by default.
  /// - Throws: `query.unsupported` for an empty key, or a direction that is none.
  public static func terms(_ text: String, ascending: Bool = true) throws -> [SortKey] {
    guard text.contains(where: { !$0.isWhitespace }) else { return [] }
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { term in
      let parts = term.split(separator: ":", omittingEmptySubsequences: false).map(trimmed)
      guard let key = parts.first, !key.isEmpty else {
        throw refusal(of: text, "a key is missing")
      }
      guard parts.count <= 2 else { throw refusal(of: text, "\"\(trimmed(term))\" has two colons") }
      guard parts.count == 2 else { return SortKey(key, ascending: ascending) }
      guard let direction = directions[parts[1].lowercased()] else {
        throw refusal(of: text, "\"\(parts[1])\" is no direction")
      }
      return SortKey(key, ascending: direction)
    }
  }

  private static let directions = [
    "yes": true, "true": true, "1": true, "asc": true, "ascending": true,
    "no": false, "false": false, "0": false, "desc": false, "descending": false,
  ]

  private static func trimmed(_ text: Substring) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  private static func refusal(of text: String, _ what: String) -> CauldronError {
    CauldronError(
      .queryUnsupported, "Cannot sort by \"\(text)\": \(what).",
      hint: "Write keys between commas, each with :YES or :NO if it likes.")
  }
}

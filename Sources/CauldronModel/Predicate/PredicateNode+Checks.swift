import Foundation

extension PredicateNode {
  /// The property that a predicate or a sort may use by value.
  package static func attribute(
    _ key: String, _ entity: EntityLayout
  ) throws -> PropertyLayout {
    let property = try self.property(key, entity)
    switch property.kind {
    case .attribute: return property
    case .toOne, .toMany:
      throw CauldronError(
        .queryTypeMismatch,
        "\(entity.name).\(key) is a relationship; it cannot be compared with a value.",
        hint: "Compare it with an object.")
    case .transient:
      throw CauldronError(
        .queryUnsupported, "\(entity.name).\(key) is transient; the store does not know it.",
        hint: "Filter the fetched objects instead.")
    }
  }

  /// The property with a name.
  package static func property(
    _ key: String, _ entity: EntityLayout
  ) throws -> PropertyLayout {
    if let index = entity.index(of: key) { return entity.properties[index] }
    if let first = firstStep(of: key) { throw pathTooLong(key, first, entity) }
    let hint = Suggestion.hint(for: key, among: entity.properties.map(\.name))
    throw CauldronError(
      .queryUnknownKey, "\(entity.name) has no property \"\(key)\".", hint: hint
    ).with {
      $0.entity = entity.name
      $0.property = key
    }
  }

  /// The name before the first point of a path that leads beyond the entity.
  private static func firstStep(of key: String) -> String? {
    key.contains(".") || key.contains("…") ? String(key.prefix { $0 != "." && $0 != "?" }) : nil
  }

  /// A key path of several steps cannot be told from another one, so that it takes the builder.
  private static func pathTooLong(
    _ path: String, _ first: String, _ entity: EntityLayout
  ) -> CauldronError {
    let hint: String
    switch entity.index(of: first).map({ entity.properties[$0].kind }) {
    case .toOne, .toMany: hint = "Write it with the builder: { $0.\(path) … }."
    default: hint = "Use a whole attribute, or filter or sort the fetched objects instead."
    }
    // A computed property prints as its type alone.
    let what =
      path.hasPrefix("… (")
      ? "a key path leads to no property that is stored, but to a value of type \(path.dropFirst(3).dropLast())"
      : "a condition or an order cannot follow the key path \"\(path)\""
    return CauldronError(.queryUnsupported, "\(entity.name): \(what).", hint: hint).with {
      $0.entity = entity.name
      $0.property = path
    }
  }

  static func check(
    _ scalar: AttributeScalar, _ property: PropertyLayout, _ entity: EntityLayout
  ) throws {
    if case .unstorable(let mark) = property.doubt, scalar == .integer(mark.slot) {
      throw CauldronError.unstorable("\(entity.name).\(property.name)", mark)
    }
    if property.form == .decimal, scalar.isFinite { return }
    let found: String
    switch (scalar, property.storageClass) {
    case (.text(let text), .text) where !isComparable(text, property): found = "text"
    case (.null, _), (.integer, .integer), (.integer, .real), (.real, .real), (.real, .integer),
      (.text, .text), (.blob, .blob):
      return
    case (.integer, _), (.real, _): found = "a number"
    case (.text, _): found = "text"
    case (.blob, _): found = "bytes"
    }
    throw CauldronError(
      .queryTypeMismatch,
      "\(entity.name).\(property.name) is \(property.attributeType?.displayName ?? "a reference");"
        + " it cannot be compared with \(found).")
  }

  /// Text is searched byte by byte, which is meaningless for a number that is kept as text.
  static func checkSearch(
    _ text: String, _ property: PropertyLayout, _ entity: EntityLayout
  ) throws {
    guard property.form == .decimal else {
      return try check(.text(text), property, entity)
    }
    throw CauldronError(
      .queryTypeMismatch,
      "\(entity.name).\(property.name) is Decimal; it cannot be searched as text.")
  }

  /// Whether a text can stand for a value of a text attribute; a decimal takes numbers alone.
  private static func isComparable(_ text: String, _ property: PropertyLayout) -> Bool {
    guard property.form == .decimal, text != "NaN" else { return true }
    return DecimalNumber.isSpelt(text)
  }
}

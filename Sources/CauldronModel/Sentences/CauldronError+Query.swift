extension CauldronError {
  /// A condition or an expression is nested more deeply than anybody means.
  package static func tooDeep(_ entity: EntityLayout?) -> CauldronError {
    let name = entity.map { "\($0.name): a" } ?? "A"
    return CauldronError(
      .queryTooDeep,
      "\(name) condition has more than \(PredicateJunction.greatestDepth) levels within one another.",
      hint: "Fetch in parts, or filter the fetched objects."
    ).with { $0.entity = entity?.name }
  }

  /// A request asks for what no store can do.
  package static func unsupported(
    _ entity: EntityLayout, _ property: String?, _ what: String, hint: String = ""
  ) -> CauldronError {
    CauldronError(.queryUnsupported, "\(entity.name): \(what).", hint: hint).with {
      $0.entity = entity.name
      $0.property = property
    }
  }

  /// A value is compared or calculated with one of another kind.
  package static func mismatch(
    _ entity: EntityLayout, _ what: String, hint: String = ""
  ) -> CauldronError {
    CauldronError(.queryTypeMismatch, "\(entity.name): \(what).", hint: hint).with {
      $0.entity = entity.name
    }
  }

  /// What is gathered from rows is asked of a single one.
  package static func withoutGroups(_ entity: EntityLayout) -> CauldronError {
    .unsupported(
      entity, nil, "what is gathered from rows needs groups", hint: "Use grouped(by:).")
  }

  /// A window begins or ends before the first object.
  package static func negative(
    _ name: String, _ value: Int, _ entity: EntityLayout
  ) -> CauldronError {
    .unsupported(
      entity, nil, "a fetch cannot have the \(name) \(value)",
      hint: "Give 0 or more, or leave it out.")
  }

  /// A value is compared with one that its attribute cannot have.
  static func unstorable(_ what: String, _ mark: _Unstorable) -> CauldronError {
    CauldronError(
      .queryTypeMismatch,
      "\(what) cannot be compared with a value that cannot be stored: \(mark.reason).",
      hint: "Round the value.")
  }

  /// A column of integers has a result that became a Double.
  package static func overflow(_ value: Double) -> CauldronError {
    CauldronError(
      .queryOverflow, "A column of integers has the value \(value), which 64 bits do not hold.",
      hint: "Calculate with a Double.")
  }

  /// A sum of integers is beyond 64 bits.
  package static var overflow: CauldronError {
    CauldronError(
      .queryOverflow, "A sum of integers is greater than 64 bits hold.",
      hint: "Sum a Double attribute, or in parts.")
  }
}

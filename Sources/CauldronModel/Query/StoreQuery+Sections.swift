extension StoreQuery {
  /// Refuses to make sections of what has no letters or days, or by days that nobody knows.
  /// - Throws: `query.typeMismatch` for what is no text or date, `query.unsupported` for an unknown time
  ///   zone.
  /// - Complexity: O(sort keys).
  package func checkSections() throws {
    for key in sort {
      if case .section(let transform, let value) = key.expression {
        try transform.check(value, entity)
      }
    }
  }
}

extension SectionTransform {
  fileprivate func check(_ value: BoundExpression, _ entity: EntityLayout) throws {
    switch self {
    case .firstLetter:
      if value.kind != .text { throw Self.mismatch(value, "first letter", "text", entity) }
    case .day(let zone): try Self.check(value, "day", zone, entity)
    case .month(let zone): try Self.check(value, "month", zone, entity)
    }
  }

  /// - Parameter form: What the values would have to be.
  private static func mismatch(
    _ value: BoundExpression, _ unit: String, _ form: String, _ entity: EntityLayout
  ) -> CauldronError {
    CauldronError(
      .queryTypeMismatch,
      "Cannot make sections of \(entity.name) by the \(unit) of \"\(value.path)\", which is no \(form).",
      hint: "Name a \(form) attribute, or divide by its value."
    ).with {
      $0.entity = entity.name
      $0.property = value.path
    }
  }

  /// - Parameter unit: What sections are made of, for the sentence.
  private static func check(
    _ value: BoundExpression, _ unit: String, _ zone: String, _ entity: EntityLayout
  ) throws {
    let key = value.path
    guard value.isDate else { throw mismatch(value, unit, "date", entity) }
    guard ZoneDays.isKnown(zone) else {
      throw CauldronError(
        .queryUnsupported,
        "Cannot make sections of \(entity.name) by the \(unit) of \"\(key)\": no time zone is called"
          + " \"\(zone)\".",
        hint: "Give an identifier such as \"Europe/Berlin\" or \"GMT\"."
      ).with {
        $0.entity = entity.name
        $0.property = key
      }
    }
  }
}

extension BoundExpression {
  /// Whether the values are dates; other numbers have no days.
  fileprivate var isDate: Bool {
    switch self {
    case .attribute(let property): property.attributeType == .date
    case .related(_, let value): value.isDate
    case .aggregate(let gathering):
      [.minimum, .maximum].contains(gathering.aggregate) && gathering.value?.isDate == true
    default: false
    }
  }

  /// The way to the attribute, such as `employer.name`.
  fileprivate var path: String {
    switch self {
    case .attribute(let property): property.name
    case .related(let property, let value): "\(property.name).\(value.path)"
    case .aggregate(let gathering): gathering.relationship.name
    default: "SELF"
    }
  }
}

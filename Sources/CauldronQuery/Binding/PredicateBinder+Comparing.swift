import CauldronModel

extension PredicateBinder {
  func bindComparison(
    of a: QueryExpression, by comparison: PredicateNode.ComparisonOperator, with b: QueryExpression,
    options: TextOptions
  ) throws -> BoundPredicate {
    switch (a, b) {
    case (.property(let path), .value(.null)) where comparison.isEquality && options.isEmpty:
      let isNil = try bind(.isNil(path))
      return comparison == .equal ? isNil : isNil.negated
    case (.property(let path), .value(let scalar)) where options.isEmpty:
      return try compare(path, by: comparison, with: scalar)
    case (.value, .property) where options.isEmpty:
      return try bindComparison(of: b, by: comparison.turned, with: a, options: options)
    default:
      return try bindGeneral(of: a, by: comparison, with: b, options: options)
    }
  }

  /// An attribute at the end of a path with a value: an index can serve it.
  private func compare(
    _ path: PropertyPath, by comparison: PredicateNode.ComparisonOperator,
    with scalar: AttributeScalar
  ) throws -> BoundPredicate {
    let isOpposite = comparison == .notEqual && path.steps.count > 1
    let asked = isOpposite ? .equal : comparison
    var isNil = false
    let found = try along(path) { binder, name in
      let property = try PredicateNode.attribute(name, binder.entity)
      let bound = try PredicateNode.bindComparison(
        of: property, by: asked, with: scalar, in: binder.entity)
      // NaN is nil.
      guard path.steps.count > 1, case .isNull = bound else { return bound }
      isNil = true
      return .not(bound)
    }
    return isOpposite != isNil ? found.negated : found
  }

  private func bindGeneral(
    of a: QueryExpression, by comparison: PredicateNode.ComparisonOperator, with b: QueryExpression,
    options: TextOptions
  ) throws -> BoundPredicate {
    var (left, right) = try pair(a, with: b)
    if !options.isEmpty {
      left = try folded(left, by: options)
      right = try folded(right, by: options)
    }
    if case .reference = left.kind, !comparison.isEquality {
      throw CauldronError.mismatch(
        entity, "objects have no order: \(a) \(comparison.rawValue) \(b)")
    }
    return .compare(left, comparison, right)
  }

  /// Two expressions that can be compared.
  func pair(
    _ a: QueryExpression, with b: QueryExpression
  ) throws -> (BoundExpression, BoundExpression) {
    let left = try bind(a)
    let right = try bind(b)
    try checkStorable(left, with: b, in: a)
    try checkStorable(right, with: a, in: b)
    let pair = (left.spelt(like: right.kind), right.spelt(like: left.kind))
    guard pair.0.kind.isComparable(with: pair.1.kind) else {
      throw CauldronError.mismatch(
        entity,
        "\(a) is \(left.kind.name); it cannot be compared with \(b), which is \(right.kind.name)")
    }
    return pair
  }

  /// Whether a value that an expression is compared with is one that its attribute can have.
  func checkStorable(
    _ value: BoundExpression, with other: QueryExpression, in expression: QueryExpression
  ) throws {
    guard case .value(let scalar) = other, let mark = value.unstorable,
      scalar == .integer(mark.slot)
    else { return }
    throw CauldronError.unstorable("\(entity.name): \(expression)", mark)
  }

  /// A text as the options compare it.
  func folded(_ value: BoundExpression, by options: TextOptions) throws -> BoundExpression {
    switch (value, value.kind) {
    case (.constant(.text(let text)), _): return .constant(.text(TextFold(options)(text)))
    case (_, .text): return .folded(options, value)
    case (_, .nothing): return value
    default:
      throw CauldronError.mismatch(
        entity, "\(options.suffix) is for texts, and this is \(value.kind.name)")
    }
  }

  /// What orders a text by language and number.
  func collated(_ value: BoundExpression, by order: TextOrder) throws -> BoundExpression {
    if value.kind == .nothing { return value }
    guard value.kind == .text else {
      throw CauldronError.mismatch(
        entity, "an order by language is for texts, and this is \(value.kind.name)")
    }
    guard let collator = order.collator else {
      throw CauldronError.unsupported(
        entity, nil, "no order of texts is known for the locale \"\(order.locale ?? "")\"",
        hint: "Give an identifier such as \"sv_SE\", or \"root\" for no language in particular.")
    }
    return .collated(collator, value)
  }

  func bindSearch(
    in a: QueryExpression, by search: PredicateNode.TextOperator, for b: QueryExpression,
    options: TextOptions
  ) throws -> BoundPredicate {
    if case .property(let path) = a, case .value(.text(let text)) = b, options.isEmpty,
      !search.isPattern
    {
      return try along(path) { binder, name in
        let property = try PredicateNode.attribute(name, binder.entity)
        try PredicateNode.checkSearch(for: text, in: property, of: binder.entity)
        return .text(property, search, text)
      }
    }
    let left = try text(a)
    if search == .matches { return try bindMatch(of: left, with: b, options: options) }
    return .search(left, TextSearch(search, options), try text(b))
  }

  private func bindMatch(
    of value: BoundExpression, with pattern: QueryExpression, options: TextOptions
  ) throws -> BoundPredicate {
    guard case .value(.text(let text)) = pattern else {
      throw CauldronError.unsupported(entity, nil, "MATCHES takes a text, and no \(pattern)")
    }
    do {
      return .matches(value, try RegularPattern(text, options))
    } catch let error as RegularPattern.Mistake {
      throw CauldronError.unsupported(
        entity, nil, "MATCHES cannot take the expression \"\(text)\": \(error.reason)")
    }
  }

  private func text(_ expression: QueryExpression) throws -> BoundExpression {
    let value = try bind(expression)
    guard value.kind == .text || value.kind == .nothing else {
      throw CauldronError.mismatch(
        entity, "\(expression) is \(value.kind.name); it cannot be searched as text",
        hint: "A list of values stands in braces: {1, 2}.")
    }
    return value
  }

  func bindList(
    _ value: QueryExpression, among list: [AttributeScalar], options: TextOptions
  ) throws -> BoundPredicate {
    if case .property(let path) = value, options.isEmpty, list.allSatisfy(\.isNull),
      try leadsToObject(path)
    {
      return list.isEmpty ? .constant(false) : try bind(.isNil(path))
    }
    if case .property(let path) = value, options.isEmpty, path.steps.count == 1 {
      return try PredicateNode.bindList(path.steps[0], among: list, in: entity)
    }
    let left = try bind(value)
    var values: Set<AttributeScalar> = []
    var hasNil = false
    for scalar in list {
      try checkStorable(left, with: .value(scalar), in: value)
      let right = BoundExpression.constant(scalar).spelt(like: left.kind)
      guard right.kind.isComparable(with: left.kind) else {
        throw CauldronError.mismatch(
          entity, "\(value) is \(left.kind.name); it cannot be compared with \(right.kind.name)")
      }
      switch try options.isEmpty ? right : folded(right, by: options) {
      case .decimal(let text): values.insert(.text(text))
      case .constant(let scalar) where scalar.isNothing: hasNil = true
      // A column of reals has no integer that lies between two of them.
      case .constant(.integer(let number))
      where left.isStored && left.kind == .real && Int64(exactly: Double(number)) != number: break
      case .constant(let scalar): values.insert(scalar)
      default: break
      }
    }
    let folded = options.isEmpty ? left : try folded(left, by: options)
    let any = BoundPredicate.member(folded, values)
    return hasNil ? .or([any, .compare(folded, .equal, .constant(.null))]) : any
  }
}

extension PredicateNode.ComparisonOperator {
  var isEquality: Bool { self == .equal || self == .notEqual }

  /// The comparison from the other side.
  var turned: Self {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

extension PredicateNode.TextOperator {
  var isPattern: Bool { self == .like || self == .matches }
}

extension AttributeScalar {
  /// Whether the value is nil, or is kept as nil.
  var isNothing: Bool {
    switch self {
    case .null: true
    case .real(let value): value.isNaN
    case .integer, .text, .blob: false
    }
  }

  /// Whether the value is a number that can be spelt out.
  var isFinite: Bool {
    switch self {
    case .integer: true
    case .real(let value): value.isFinite
    case .null, .text, .blob: false
    }
  }
}

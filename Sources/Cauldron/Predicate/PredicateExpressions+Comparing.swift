import CauldronModel
import CauldronQuery
import Foundation

extension PredicateExpressions.Equal: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(try reader.equality(of: reader.read(lhs), and: reader.read(rhs)))
  }
}

extension PredicateExpressions.NotEqual: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(.not(try reader.equality(of: reader.read(lhs), and: reader.read(rhs))))
  }
}

extension PredicateExpressions.Comparison: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    let comparison: PredicateNode.ComparisonOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      }
    return .condition(
      .comparison(try reader.value(lhs), comparison, try reader.value(rhs), []))
  }
}

extension PredicateReader {
  /// Whether two terms are equal, or both nil.
  func equality(of a: PredicateTerm, and b: PredicateTerm) throws -> PredicateNode {
    if b.isNil { return try isNil(a) }
    if a.isNil { return try isNil(b) }
    switch (a, b) {
    case (.object(let path), .object(let other)), (.objectID(let path), .objectID(let other)):
      return try sameObject(path, as: other)
    case (.objectID(let path), .constant(let value)), (.constant(let value), .objectID(let path)):
      guard let id = PredicateTerm.unwrapped(value) as? ManagedObjectID else { break }
      return Self.isOne(path, of: [id])
    case (.condition, .condition), (.condition, .constant), (.constant, .condition):
      let (first, second) = (try condition(a), try condition(b))
      return .or([.and([first, second]), .and([.not(first), .not(second)])])
    case (.unlessNil(let node, let isNil), .constant(let value)),
      (.constant(let value), .unlessNil(let node, let isNil)):
      guard let truth = PredicateTerm.unwrapped(value) as? Bool else { break }
      return .and([.not(isNil), truth ? node : .not(node)])
    default: break
    }
    return .comparison(try value(a), .equal, try value(b), [])
  }

  private func sameObject(_ a: PropertyPath, as b: PropertyPath) throws -> PredicateNode {
    guard !a.steps.isEmpty, !b.steps.isEmpty else {
      throw refusal("a comparison of the object itself with another one of its own", at: a)
    }
    return .comparison(.property(a), .equal, .property(b), [])
  }

  /// Whether a path leads to one of some objects.
  static func isOne(_ path: PropertyPath, of ids: [ManagedObjectID]) -> PredicateNode {
    path.steps.isEmpty ? .isSelf(ids) : .refersTo(path, ids)
  }
}

extension PredicateExpressions.Range: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .range(try reader.value(lower), try reader.value(upper), isClosed: false)
  }
}

extension PredicateExpressions.ClosedRange: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .range(try reader.value(lower), try reader.value(upper), isClosed: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    let value = try reader.value(element)
    switch try reader.read(range) {
    case .range(let least, let most, let isClosed):
      return .condition(
        .and([
          .comparison(value, .greaterOrEqual, least, []),
          .comparison(value, isClosed ? .lessOrEqual : .less, most, []),
        ]))
    case .constant(let range as any KnownRange):
      let ends = try range.ends.map { comparison, end in
        PredicateNode.comparison(value, comparison, try reader.value(.constant(end)), [])
      }
      return .condition(.and(ends))
    default: throw reader.refusal("a range of another kind")
    }
  }
}

/// A range whose ends are known.
private protocol KnownRange {
  /// What its values are compared with.
  var ends: [(PredicateNode.ComparisonOperator, Any)] { get }
}

extension ClosedRange: KnownRange {
  fileprivate var ends: [(PredicateNode.ComparisonOperator, Any)] {
    [(.greaterOrEqual, lowerBound), (.lessOrEqual, upperBound)]
  }
}

extension Range: KnownRange {
  fileprivate var ends: [(PredicateNode.ComparisonOperator, Any)] {
    [(.greaterOrEqual, lowerBound), (.less, upperBound)]
  }
}

extension PartialRangeFrom: KnownRange {
  fileprivate var ends: [(PredicateNode.ComparisonOperator, Any)] {
    [(.greaterOrEqual, lowerBound)]
  }
}

extension PartialRangeThrough: KnownRange {
  fileprivate var ends: [(PredicateNode.ComparisonOperator, Any)] {
    [(.lessOrEqual, upperBound)]
  }
}

extension PartialRangeUpTo: KnownRange {
  fileprivate var ends: [(PredicateNode.ComparisonOperator, Any)] { [(.less, upperBound)] }
}

extension PredicateExpressions.Conjunction: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(.and([try reader.condition(lhs), try reader.condition(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(.or([try reader.condition(lhs), try reader.condition(rhs)]))
  }
}

extension PredicateExpressions.Negation: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(.not(try reader.condition(wrapped)))
  }
}

extension PredicateExpressions.Conditional: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    let test = try reader.condition(test)
    return try reader.choice(by: test, of: reader.read(trueBranch), or: reader.read(falseBranch))
  }
}

extension PredicateExpressions.NilCoalesce: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    let first = try reader.read(lhs)
    let isNil = try reader.isNil(first)
    if case .unlessNil(let node, _) = first {
      let other = try reader.condition(rhs)
      return .condition(.or([.and([.not(isNil), node]), .and([isNil, other])]))
    }
    return try reader.choice(by: isNil, of: reader.read(rhs), or: first)
  }
}

extension PredicateReader {
  /// The first one where a condition holds, else the second.
  func choice(
    by test: PredicateNode, of first: PredicateTerm, or second: PredicateTerm
  ) throws -> PredicateTerm {
    switch (first, second) {
    case (.condition, _), (_, .condition), (.constant(is Bool), .constant(is Bool)):
      return .condition(
        .or([
          .and([test, try condition(first)]), .and([.not(test), try condition(second)]),
        ]))
    default: return .value(.conditional(test, try value(first), try value(second)))
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: PredicateReading {
  /// Conditions have two values, so that what is nil is asked like anything else.
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    let term = try reader.read(inner)
    return if case .unlessNil = term { .condition(try reader.condition(term)) } else { term }
  }
}

extension PredicateExpressions.OptionalFlatMap: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    let whole = try reader.read(wrapped)
    let isNil = try reader.isNil(whole)
    let term = try reader.binding(variable.key, to: whole).read(transform)
    switch term {
    case .condition(let node): return .unlessNil(node, isNil: isNil)
    case .unlessNil(let node, let inner): return .unlessNil(node, isNil: .or([isNil, inner]))
    case .constant(let value):
      guard let truth = PredicateTerm.unwrapped(value) as? Bool else {
        return .value(.conditional(isNil, .value(.null), try reader.value(term)))
      }
      return .unlessNil(.constant(truth), isNil: isNil)
    case .value(let value):
      return value.isNil(with: whole)
        ? term : .value(.conditional(isNil, .value(.null), value))
    case .object, .objectID: return term
    case .objects(let path, _):
      throw reader.refusal(
        "the objects of \(path.text) as a value", hint: PredicateReader.form(path), at: path)
    case .range: throw reader.refusal("a range as a value")
    }
  }
}

extension QueryExpression {
  /// Whether the expression is nil wherever a term is.
  fileprivate func isNil(with term: PredicateTerm) -> Bool {
    if case .value(let value) = term, value == self { return true }
    switch self {
    case .property(let path):
      guard case .object(let start) = term else { return false }
      return path.steps.starts(with: start.steps)
    case .arithmetic(_, let a, let b): return a.isNil(with: term) || b.isNil(with: term)
    case .function(_, let value): return value.isNil(with: term)
    case .value, .aggregate, .conditional: return false
    }
  }
}

extension PredicateExpressions.CollectionContainsCollection: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(try reader.search(.contains, in: reader.read(base), for: reader.read(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(try reader.search(.beginsWith, in: reader.read(base), for: reader.read(prefix)))
  }
}

extension PredicateExpressions.StringContainsRegex: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    guard case .constant(let value) = try reader.read(regex),
      let pattern = value as? PredicateExpressions.PredicateRegex
    else { throw reader.refusal("a regular expression that is not written out") }
    let text = try reader.value(subject)
    // Anything may stand before and behind it, line ends included.
    let whole = "[\\s\\S]*(?:\(pattern.stringRepresentation))[\\s\\S]*"
    return .condition(.text(text, .matches, .value(.text(whole)), []))
  }
}

extension PredicateReader {
  fileprivate func search(
    _ search: PredicateNode.TextOperator, in text: PredicateTerm, for part: PredicateTerm
  ) throws -> PredicateNode {
    if case .objects(let path, _) = text {
      throw refusal("\(search.rawValue) of objects", hint: Self.form(path), at: path)
    }
    return .text(try value(text), search, try value(part), [])
  }
}

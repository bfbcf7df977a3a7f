import CauldronModel
import Foundation

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
    return try reader.choice(test, reader.read(trueBranch), reader.read(falseBranch))
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
    return try reader.choice(isNil, reader.read(rhs), first)
  }
}

extension PredicateReader {
  /// The first one where a condition holds, else the second.
  func choice(
    _ test: PredicateNode, _ first: PredicateTerm, _ second: PredicateTerm
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

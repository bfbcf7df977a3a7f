import CauldronModel
import Foundation

extension PredicateExpressions.Equal: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(try reader.equality(reader.read(lhs), reader.read(rhs)))
  }
}

extension PredicateExpressions.NotEqual: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(.not(try reader.equality(reader.read(lhs), reader.read(rhs))))
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
  func equality(_ a: PredicateTerm, _ b: PredicateTerm) throws -> PredicateNode {
    if b.isNil { return try isNil(a) }
    if a.isNil { return try isNil(b) }
    switch (a, b) {
    case (.object(let path), .object(let other)), (.objectID(let path), .objectID(let other)):
      return try sameObject(path, other)
    case (.objectID(let path), .constant(let value)), (.constant(let value), .objectID(let path)):
      guard let id = PredicateTerm.unwrapped(value) as? ManagedObjectID else { break }
      return Self.isOne(path, [id])
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

  private func sameObject(_ a: PropertyPath, _ b: PropertyPath) throws -> PredicateNode {
    guard !a.steps.isEmpty, !b.steps.isEmpty else {
      throw refusal("a comparison of the object itself with another one of its own", at: a)
    }
    return .comparison(.property(a), .equal, .property(b), [])
  }

  /// Whether a path leads to one of some objects.
  static func isOne(_ path: PropertyPath, _ ids: [ManagedObjectID]) -> PredicateNode {
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

import CauldronGraph
import CauldronModel
import Foundation

extension PredicateExpressions.Variable: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm { try reader.term(key) }
}

extension PredicateExpressions.Value: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm { .constant(value) }
}

extension PredicateExpressions.NilLiteral: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm { .constant(nil) }
}

extension PredicateExpressions.Arithmetic: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    let operation: QueryExpression.Arithmetic =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      }
    return .value(.arithmetic(operation, try reader.value(lhs), try reader.value(rhs)))
  }
}

extension PredicateExpressions.IntDivision: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .value(.arithmetic(.divide, try reader.value(lhs), try reader.value(rhs)))
  }
}

extension PredicateExpressions.FloatDivision: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .value(.arithmetic(.divide, try reader.value(lhs), try reader.value(rhs)))
  }
}

extension PredicateExpressions.IntRemainder: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .value(.arithmetic(.remainder, try reader.value(lhs), try reader.value(rhs)))
  }
}

extension PredicateExpressions.UnaryMinus: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .value(.arithmetic(.subtract, .value(.integer(0)), try reader.value(wrapped)))
  }
}

// A cast that changes nothing is left out; none of the others can be asked of a store.

extension PredicateExpressions.ConditionalCast: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    try reader.cast(reader.read(input), from: Input.Output.self, to: Desired.self)
  }
}

extension PredicateExpressions.ForceCast: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    try reader.cast(reader.read(input), from: Input.Output.self, to: Desired.self)
  }
}

extension PredicateExpressions.TypeCheck: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    if Input.Output.self == Desired.self { return .condition(.constant(true)) }
    throw reader.refusal(
      "a test for the type \(Desired.self)", hint: "Fetch the objects of that class instead.")
  }
}

extension PredicateReader {
  fileprivate func cast<Found, Desired>(
    _ term: PredicateTerm, from found: Found.Type, to desired: Desired.Type
  ) throws -> PredicateTerm {
    if found == desired || found == Desired?.self || Found?.self == desired { return term }
    let classes = (found as? ManagedObject.Type, desired as? ManagedObject.Type)
    if let found = classes.0, let desired = classes.1, found.isSubclass(of: desired) { return term }
    throw refusal(
      "a cast from \(found) to \(desired)",
      hint: classes.1 == nil ? "Leave the cast out." : "Fetch the objects of that class instead.")
  }
}

extension ManagedObject {
  fileprivate static func isSubclass(of other: ManagedObject.Type) -> Bool {
    var type: AnyClass? = self
    while let next = type {
      if next == other { return true }
      type = Swift._getSuperclass(next)
    }
    return false
  }
}

import CauldronGraph
import CauldronModel
import Foundation

extension PredicateExpressions.SequenceContainsWhere: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    switch try reader.read(sequence) {
    case .objects(let path, let filter):
      let test = try reader.entering(variable.key).condition(test)
      return .condition(.quantified(.any, path, .and((filter.map { [$0] } ?? []) + [test])))
    case .constant(let value):
      return .condition(.or(try reader.each(value, variable.key) { try $0.condition(test) }))
    default: throw reader.refusal("contains(where:) of what is no relationship and no list")
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    switch try reader.read(sequence) {
    case .objects(let path, let filter):
      let test = try reader.entering(variable.key).condition(test)
      let others = filter.map { [PredicateNode.not($0)] } ?? []
      return .condition(.quantified(.all, path, .or(others + [test])))
    case .constant(let value):
      return .condition(.and(try reader.each(value, variable.key) { try $0.condition(test) }))
    default: throw reader.refusal("allSatisfy of what is no relationship and no list")
    }
  }
}

extension PredicateExpressions.Filter: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    guard case .objects(let path, let former) = try reader.read(sequence) else {
      throw reader.refusal("filter of what is no relationship")
    }
    let test = try reader.entering(variable.key).condition(filter)
    return .objects(path, where: .and((former.map { [$0] } ?? []) + [test]))
  }
}

extension PredicateExpressions.SequenceContains: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    let list = try reader.read(sequence)
    guard case .constant(let value) = list, let elements = PredicateTerm.elements(value) else {
      if case .objects(let path, _) = list {
        throw reader.refusal(
          "contains of the objects of \(path.text)",
          hint: "Compare IDs: contains { $0.objectID == id }.", at: path)
      }
      throw reader.refusal("contains of what is no list")
    }
    switch try reader.read(element) {
    case .objectID(let path):
      let ids = elements.compactMap { PredicateTerm.unwrapped($0) as? ManagedObjectID }
      let isOne = PredicateReader.isOne(path, ids)
      let hasNil = elements.contains { PredicateTerm.unwrapped($0) == nil }
      return .condition(hasNil ? .or([isOne, try reader.isNil(.objectID(path))]) : isOne)
    case let term:
      let scalars = elements.compactMap { PredicateTerm.scalar($0) }
      guard scalars.count == elements.count else {
        throw reader.refusal("a list of what are no values of an attribute")
      }
      return .condition(.isIn(try reader.value(term), scalars, []))
    }
  }
}

extension PredicateExpressions.SequenceMinimum: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    try reader.known(self, reader.read(elements), "min()")
  }
}

extension PredicateExpressions.SequenceMaximum: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    try reader.known(self, reader.read(elements), "max()")
  }
}

extension PredicateReader {
  /// What is made of a list that is known.
  fileprivate func known(
    _ expression: any PredicateExpression, _ list: PredicateTerm, _ call: String
  ) throws -> PredicateTerm {
    guard case .constant = list else {
      throw refusal(
        "\(call) of objects",
        hint: "Write it with the builder: { $0.objects.\(call.dropLast(2)) { $0.value } … }.")
    }
    return .constant(try expression.evaluate(PredicateBindings()))
  }

  /// The same condition for each element of a list that is known.
  fileprivate func each(
    _ value: Any?, _ variable: PredicateExpressions.VariableID,
    _ condition: (PredicateReader) throws -> PredicateNode
  ) throws -> [PredicateNode] {
    guard let elements = PredicateTerm.elements(value) else {
      throw refusal("a closure about what is no list")
    }
    return try elements.map { try condition(binding(variable, to: .constant($0))) }
  }
}

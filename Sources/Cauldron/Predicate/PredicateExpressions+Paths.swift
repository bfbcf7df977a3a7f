import CauldronGraph
import CauldronModel
import CauldronQuery
import Foundation

extension PredicateExpressions.KeyPath: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    switch try reader.read(root) {
    case .object(let path):
      guard let type = Root.Output.self as? ManagedObject.Type else {
        throw reader.refusal("a key path from \(Root.Output.self)")
      }
      return try reader.follow(keyPath, from: type, at: path, to: Output.self)
    case .objects(let path, let filter):
      switch PredicateReader.name(keyPath, of: Root.Output.self) ?? name {
      case "count": return .value(.aggregate(.count, of: path, nil, where: filter))
      case "isEmpty": return .condition(.quantified(.none, path, filter ?? .constant(true)))
      default:
        throw reader.refusal(
          "a property of the objects of \(path.text) as a whole", hint: PredicateReader.form(path),
          at: path)
      }
    case .value(let value):
      let property = PredicateReader.name(keyPath, of: Root.Output.self) ?? name
      return try reader.measure(property, of: value, isText: Root.Output.self == String.self)
    case .constant(let value as Root.Output): return .constant(value[keyPath: keyPath])
    default: throw reader.refusal("a property of \(Root.Output.self)")
    }
  }

  /// The property where it is one that collections have.
  private var name: String? {
    switch kind {
    case .collectionCount: "count"
    case .collectionIsEmpty: "isEmpty"
    case .collectionFirst, .bidirectionalCollectionLast, nil: nil
    @unknown default: nil
    }
  }
}

extension PredicateReader {
  /// What a property of an object leads to.
  fileprivate func follow<Value>(
    _ keyPath: AnyKeyPath, from type: ManagedObject.Type, at path: PropertyPath,
    to value: Value.Type
  ) throws -> PredicateTerm {
    if let entity = type as? any ManagedEntity.Type, keyPath == Self.objectID(of: entity) {
      return .objectID(path)
    }
    guard let name = KeyPathTable.table(for: type)[keyPath] else {
      let text = KeyPathDescription(keyPath, from: type).text
      let whole = path.steps.isEmpty ? text : "\(path.text).\(text)"
      throw refusal(
        "\(whole), which is no property of the entity",
        hint: "Use a stored property, or filter the fetched objects.",
        at: PropertyPath(steps: [whole]))
    }
    let end = path.appending(name)
    switch value {
    case is any ToOneStep.Type: return .object(end)
    case is any ManyObjects.Type: return .objects(end, where: nil)
    default: return .value(.property(end))
    }
  }

  private static func objectID<Object: ManagedEntity>(of type: Object.Type) -> AnyKeyPath {
    \Object.objectID
  }

  /// The name of a property of a type that is none of an entity.
  fileprivate static func name(_ keyPath: AnyKeyPath, of type: Any.Type) -> String? {
    (type as? any KeyPathSteps.Type)?.steps[keyPath]
  }

  /// What is asked of a text or of bytes as a whole.
  fileprivate func measure(
    _ name: String?, of value: QueryExpression, isText: Bool
  ) throws -> PredicateTerm {
    var path: PropertyPath?
    if case .property(let found) = value { path = found }
    switch name {
    case "isEmpty":
      let nothing = AttributeScalar.blob(Data())
      return .condition(.comparison(value, .equal, .value(isText ? .text("") : nothing), []))
    case "count":
      throw refusal(
        "the number of characters of \(value)",
        hint: "Use its UTF-16 length, with the builder: { $0.\(value).length … }.", at: path)
    default:
      throw refusal(
        "a property of the value \(value)", hint: "Compare the value as a whole.", at: path)
    }
  }
}

/// The objects of a to-many relationship.
private protocol ManyObjects {}

extension ToMany: ManyObjects {}
extension OrderedToMany: ManyObjects {}

extension PredicateExpressions.SequenceContainsWhere: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    switch try reader.read(sequence) {
    case .objects(let path, let filter):
      let test = try reader.entering(variable.key).condition(test)
      return .condition(.quantified(.any, path, .and((filter.map { [$0] } ?? []) + [test])))
    case .constant(let value):
      return .condition(
        .or(try reader.each(of: value, as: variable.key) { try $0.condition(test) }))
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
      return .condition(
        .and(try reader.each(of: value, as: variable.key) { try $0.condition(test) }))
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
      let isOne = PredicateReader.isOne(path, of: ids)
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
    try reader.known(self, of: reader.read(elements), by: "min()")
  }
}

extension PredicateExpressions.SequenceMaximum: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    try reader.known(self, of: reader.read(elements), by: "max()")
  }
}

extension PredicateReader {
  /// What is made of a list that is known.
  fileprivate func known(
    _ expression: any PredicateExpression, of list: PredicateTerm, by call: String
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
    of value: Any?, as variable: PredicateExpressions.VariableID,
    _ condition: (PredicateReader) throws -> PredicateNode
  ) throws -> [PredicateNode] {
    guard let elements = PredicateTerm.elements(value) else {
      throw refusal("a closure about what is no list")
    }
    return try elements.map { try condition(binding(variable, to: .constant($0))) }
  }
}

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

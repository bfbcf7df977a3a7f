import CauldronGraph
import CauldronModel
import CauldronQuery
import Foundation

/// A part of a Foundation predicate that can be read.
protocol PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm
}

/// Turns a Foundation predicate into the one tree, part by part.
///
/// The types of Foundation's tree tell the predicate; each of them that has a counterpart is read by a
/// conformance.
struct PredicateReader {
  /// What the predicate is about.
  let entity: String
  /// How many closures about other objects lie around a part.
  private var level = 0
  private var variables: [PredicateExpressions.VariableID: (term: PredicateTerm, level: Int)] = [:]

  init(entity: String) { self.entity = entity }

  /// Has a variable stand for something.
  func binding(
    _ variable: PredicateExpressions.VariableID, to term: PredicateTerm
  ) -> PredicateReader {
    var reader = self
    reader.variables[variable] = (term, level)
    return reader
  }

  /// Has a variable stand for one of the objects that a relationship leads to.
  func entering(_ variable: PredicateExpressions.VariableID) -> PredicateReader {
    var reader = self
    reader.level += 1
    reader.variables[variable] = (.object(PropertyPath(steps: [])), reader.level)
    return reader
  }

  func term(_ variable: PredicateExpressions.VariableID) throws -> PredicateTerm {
    guard let (term, level) = variables[variable] else {
      throw refusal("a variable that nothing is known of")
    }
    if level == self.level { return term }
    if case .constant = term { return term }
    throw refusal(
      "an object from outside the closure that asks about the objects of a relationship",
      hint: "Ask the two conditions apart from one another, or filter the fetched objects.")
  }

  /// Reads a part.
  func read(_ expression: any PredicateExpression) throws -> PredicateTerm {
    guard let part = expression as? any PredicateReading else {
      throw refusal("\(Self.name(type(of: expression)))")
    }
    return try part.read(self)
  }

  /// Reads a part that is true or false.
  func condition(_ expression: any PredicateExpression) throws -> PredicateNode {
    try condition(read(expression))
  }

  func condition(_ term: PredicateTerm) throws -> PredicateNode {
    switch term {
    case .condition(let node): return node
    case .unlessNil(let node, let isNil): return .and([.not(isNil), node])
    case .value(let value): return .comparison(value, .equal, .value(.integer(1)), [])
    case .constant(let value):
      if let value = PredicateTerm.unwrapped(value) as? Bool { return .constant(value) }
      throw refusal("\(Self.name(value)) where a condition stands")
    case .object, .objectID, .objects, .range: throw refusal("an object where a condition stands")
    }
  }

  /// Reads a part that is a value.
  func value(_ expression: any PredicateExpression) throws -> QueryExpression {
    try value(read(expression))
  }

  func value(_ term: PredicateTerm) throws -> QueryExpression {
    switch term {
    case .value(let value): return value
    case .constant(let value):
      if let scalar = PredicateTerm.scalar(value) { return .value(scalar) }
      throw refusal("\(Self.name(value)), which is no value of an attribute")
    case .condition(let node): return Self.truth(node)
    case .unlessNil(let node, let isNil):
      return .conditional(isNil, .value(.null), Self.truth(node))
    case .object(let path):
      throw refusal("the object \(path.text) as a value", hint: "Compare its objectID.", at: path)
    case .objectID(let path):
      throw refusal(
        "the ID of \(path.text) as a value", hint: "Compare it with another one.", at: path)
    case .objects(let path, _):
      throw refusal("the objects of \(path.text) as a value", hint: Self.form(path), at: path)
    case .range: throw refusal("a range as a value")
    }
  }

  private static func truth(_ node: PredicateNode) -> QueryExpression {
    .conditional(node, .value(.integer(1)), .value(.integer(0)))
  }

  /// When something is nil.
  func isNil(_ term: PredicateTerm) throws -> PredicateNode {
    switch term {
    case .constant: return .constant(term.isNil)
    case .value(.property(let path)): return .isNil(path)
    case .value(let value): return .comparison(value, .equal, .value(.null), [])
    case .unlessNil(_, let isNil): return isNil
    case .object(let path), .objectID(let path):
      return path.steps.isEmpty ? .constant(false) : .isNil(path)
    case .condition, .objects, .range: return .constant(false)
    }
  }
}

extension PredicateReader {
  /// The error for what has no counterpart.
  func refusal(
    _ what: String, hint: String = "Write it with the builder, or filter the fetched objects.",
    at path: PropertyPath? = nil
  ) -> CauldronError {
    CauldronError(
      .queryUnsupported, "\(entity): a #Predicate cannot be asked of a store with \(what).",
      hint: hint
    ).with {
      $0.entity = entity
      $0.property = path?.text
    }
  }

  /// How the builder asks about the objects of a relationship.
  static func form(_ path: PropertyPath) -> String {
    "Write it with the builder: { $0.\(path.text).any { … } }."
  }

  /// A part's type without its parameters.
  static func name(_ type: Any.Type) -> String {
    let text = String(describing: type)
    return String(text.prefix { $0 != "<" })
  }

  /// A value's type.
  private static func name(_ value: Any?) -> String {
    PredicateTerm.unwrapped(value).map { "a \(type(of: $0))" } ?? "nil"
  }
}

/// What a part of a Foundation predicate stands for.
indirect enum PredicateTerm {
  /// A value that is known.
  case constant(Any?)
  /// An attribute, or what is made of some.
  case value(QueryExpression)
  /// Whether something holds.
  case condition(PredicateNode)
  /// Whether something holds; nil where another condition holds.
  case unlessNil(PredicateNode, isNil: PredicateNode)
  /// An object: that of the closure, or what to-one relationships lead to from it.
  case object(PropertyPath)
  /// The ID of such an object.
  case objectID(PropertyPath)
  /// The objects of a to-many relationship, or those for which a condition holds.
  case objects(PropertyPath, where: PredicateNode?)
  /// The values from one to another, which may be left out.
  case range(QueryExpression, QueryExpression, isClosed: Bool)
}

extension PredicateTerm {
  /// Whether the term is the literal nil, or a value that is.
  var isNil: Bool {
    guard case .constant(let value) = self else { return false }
    return Self.unwrapped(value) == nil
  }

  /// A value without the optionals around it.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    guard let optional = value as? any AnyOptional else { return value }
    return unwrapped(optional.content)
  }

  /// A known value as rows keep it: an enumeration by its raw value.
  static func scalar(_ value: Any?) -> AttributeScalar? {
    switch unwrapped(value) {
    case nil: return .null
    case let value as any AttributeValue: return value.scalar
    case let value as any RawRepresentable:
      return (value.rawValue as? any AttributeValue)?.scalar
    default: return nil
    }
  }

  /// The elements of a known list.
  static func elements(_ value: Any?) -> [Any]? {
    guard let list = unwrapped(value) as? any Sequence, !(list is String) else { return nil }
    return list.map { $0 as Any }
  }
}

/// An optional of any type.
private protocol AnyOptional {
  var content: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var content: Any? { map { $0 as Any } }
}

public import CauldronModel

/// A value in a condition, an order or a selection, as one tree for every way of writing it.
///
/// ```swift
/// QueryExpression.arithmetic(.multiply, .property("price"), .property("count"))
/// QueryExpression.aggregate(.average, of: "skills", .property("level"))
/// ```
/// SQL and evaluation in memory give it one meaning:
///
/// | expression | value |
/// |---|---|
/// | a property behind a relationship that leads nowhere | nil |
/// | arithmetic with nil, or divided by 0 | nil |
/// | integers whose result is beyond 64 bits | the result as a Double |
/// | integer divided by integer | an integer, cut off towards 0 |
/// | count and sum of nothing | 0 |
/// | minimum, maximum and average of nothing | nil |
public indirect enum QueryExpression: Sendable, Hashable {
  /// A value; `.null` for nil.
  case value(AttributeScalar)
  /// An attribute of the object, or of what its to-one relationships lead to.
  case property(PropertyPath)
  /// Two numbers, calculated.
  case arithmetic(Arithmetic, QueryExpression, QueryExpression)
  /// A function of one value.
  case function(Function, QueryExpression)
  /// What is gathered from the objects that a path with one to-many relationship, its last step,
  /// leads to: those of them for which the condition holds, where there is one. What is gathered
  /// is an expression of those objects; a count has none.
  case aggregate(Aggregate, of: PropertyPath, QueryExpression?, where: PredicateNode? = nil)
  /// The first value where a condition holds, else the second one.
  case conditional(PredicateNode, QueryExpression, QueryExpression)

  /// The operations on two numbers.
  public enum Arithmetic: String, Sendable, Hashable, Codable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// Of integers an integer, cut off towards 0; nil where the divisor is 0.
    case divide = "/"
    /// What division leaves, of integers alone; it has the sign of the dividend.
    case remainder = "%"
    /// The bits that both have, of integers alone.
    case bitAnd = "&"
    /// The bits that one has, of integers alone.
    case bitOr = "|"
    /// The bits that only one has, of integers alone.
    case bitXor = "^"

    /// Whether it is of integers alone.
    package var isOfIntegers: Bool {
      switch self {
      case .remainder, .bitAnd, .bitOr, .bitXor: true
      case .add, .subtract, .multiply, .divide: false
      }
    }
  }

  /// The functions of one value; nil for nil.
  public enum Function: String, Sendable, Hashable, Codable, CaseIterable {
    /// A number without its sign; the smallest integer becomes a Double.
    case absolute = "abs"
    /// The greatest whole number that is not above a number: -3 for -2.5. It is of the number's kind.
    case floor
    /// A text in small letters, by the root locale's rules.
    case lowercase
    /// A text in large letters, by the root locale's rules.
    case uppercase
    /// How many UTF-16 units a text has, as the rule `.length` counts them.
    case length
  }

  /// What is gathered from several values; nil among them is left out.
  public enum Aggregate: String, Sendable, Hashable, Codable {
    /// How many objects there are; 0 for none.
    case count
    /// The sum of numbers; 0 for none. One of integers that is beyond 64 bits throws
    /// `query.overflow`; one of reals is rounded once, so that no order changes it.
    case sum
    /// The smallest value; nil for none.
    case minimum = "min"
    /// The largest value; nil for none.
    case maximum = "max"
    /// The sum divided by the number of values, as a Double; nil for none.
    case average = "avg"
  }
}

extension QueryExpression.Function {
  /// What a function takes and gives; a condition that gives it anything else is refused.
  package enum Signature: Sendable, Hashable {
    /// Of a number of any kind one of the same kind.
    case numberToNumber
    case textToText
    case textToInteger

    package var takesText: Bool { self != .numberToNumber }
  }

  package var signature: Signature {
    switch self {
    case .absolute, .floor: .numberToNumber
    case .lowercase, .uppercase: .textToText
    case .length: .textToInteger
    }
  }

  /// The name in format strings and printed conditions.
  package var name: String { "\(rawValue):" }

  /// The functions that take and give something.
  package static func all(_ signature: Signature) -> [Self] {
    allCases.filter { $0.signature == signature }
  }
}

extension QueryExpression {
  /// A part in which the objects of a group may differ; nil where there is none.
  package func undecided(by groups: [QueryExpression]) -> QueryExpression? {
    if groups.contains(self) { return nil }
    switch self {
    case .value: return nil
    case .property: return self
    case .aggregate(_, let path, _, _): return path.steps.isEmpty ? nil : self
    case .arithmetic(_, let a, let b):
      return a.undecided(by: groups) ?? b.undecided(by: groups)
    case .function(_, let value): return value.undecided(by: groups)
    case .conditional(let condition, let a, let b):
      if condition.undecided(by: groups) != nil { return self }
      return a.undecided(by: groups) ?? b.undecided(by: groups)
    }
  }
}

extension PredicateNode {
  /// A part in which the objects of a group may differ; nil where there is none.
  package func undecided(by groups: [QueryExpression]) -> String? {
    switch self {
    case .constant: return nil
    case .comparison(let a, _, let b, _), .text(let a, _, let b, _):
      return (a.undecided(by: groups) ?? b.undecided(by: groups))?.description
    case .isIn(let value, _, _): return value.undecided(by: groups)?.description
    case .isNil(let path): return QueryExpression.property(path).undecided(by: groups)?.description
    case .joined(let junction):
      return junction.conditions.lazy.compactMap { $0.undecided(by: groups) }.first
    case .refersTo, .isSelf, .quantified: return description
    }
  }
}

/// The names of the properties that lead from an object to a value, to an object, or to several.
///
/// ```swift
/// let name: PropertyPath = "employer.name"
/// ```
/// All steps but the last are relationships. A path without steps is the object itself.
public struct PropertyPath: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The names, the object's own property first.
  public let steps: [String]

  /// A path of these steps.
  public init(steps: [String]) { self.steps = steps }

  /// A path as it is written, with points between its steps; `SELF` stands for the object itself.
  public init(_ text: String) {
    steps = text == "SELF" ? [] : text.split(separator: ".").map(String.init)
  }

  public init(stringLiteral text: String) { self.init(text) }

  /// The path as it is written in a format string.
  public var text: String { steps.isEmpty ? "SELF" : steps.joined(separator: ".") }

  /// The path with one more step.
  public func appending(_ step: String) -> PropertyPath { PropertyPath(steps: steps + [step]) }

  /// How many levels a condition on the path has more than one on a property: for each relationship but the
  /// first.
  var depth: Int { max(0, steps.count - 2) }

  /// The path with the names of a composite attribute and of its element as one step.
  func joiningElements(of entity: EntityLayout) -> PropertyPath {
    PropertyPath(steps: Array(entity.joiningElements(steps[...])))
  }

  /// The path without its first step.
  var dropFirst: PropertyPath { PropertyPath(steps: Array(steps.dropFirst())) }
}

extension PropertyPath: Codable {
  public init(from decoder: any Decoder) throws {
    steps = try decoder.singleValueContainer().decode([String].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(steps)
  }
}

/// What an expression gathers from objects, in the parts that `QueryExpression.aggregate` has.
struct AggregateCall {
  let aggregate: QueryExpression.Aggregate
  /// What leads to the objects; without steps for those of a group.
  let path: PropertyPath
  /// What is gathered of each object; nil for a count of them.
  let value: QueryExpression?
  let condition: PredicateNode?
}

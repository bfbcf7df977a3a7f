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
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    /// Of integers an integer, cut off towards 0; nil where the divisor is 0.
    case divide = "/"
    /// What division leaves, of integers alone; it has the sign of the dividend.
    case remainder = "%"
  }

  /// The functions of one value; nil for nil.
  public enum Function: String, Sendable, Hashable, Codable {
    /// A number without its sign; the smallest integer becomes a Double.
    case absolute = "abs"
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

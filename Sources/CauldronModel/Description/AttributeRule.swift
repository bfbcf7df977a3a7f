/// What a save asks of an attribute's value, beyond its type and that it is there.
///
/// ```swift
/// @Attribute(.length(1...40)) var name: String
/// @Attribute(.range(0...5)) var priority: Int16 = 0
/// @Attribute(.matches("[a-z]+@[a-z.]+")) var mail: String?
/// @Attribute(.check("must be even") { (count: Int) in count.isMultiple(of: 2) }) var count: Int = 0
/// ```
///
/// A rule is looked at when a context is saved, never when the value is set: of new objects for every
/// value, of changed ones for those that changed. Nil keeps every rule. Rules are no part of the
/// version hash, so that they may change without another store.
public struct AttributeRule: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case length(least: Int, most: Int)
    case range(least: AttributeScalar, most: AttributeScalar, of: BoundType)
    case pattern(String)
    case check(RuleCheck)
  }

  /// What the bounds of a range are; a `Duration` differs from an integer by what it cannot keep.
  package struct BoundType: Sendable, Hashable {
    package let type: AttributeType
    package let unstorable: _Unstorable?
  }

  package let kind: Kind
}

extension AttributeRule {
  /// The text's length in UTF-16 units, as Core Data counts: an emoji is two or more.
  public static func length(_ range: ClosedRange<Int>) -> AttributeRule {
    AttributeRule(kind: .length(least: range.lowerBound, most: range.upperBound))
  }

  /// The text's least length in UTF-16 units.
  public static func length(_ range: PartialRangeFrom<Int>) -> AttributeRule {
    AttributeRule(kind: .length(least: range.lowerBound, most: .max))
  }

  /// The text's greatest length in UTF-16 units.
  public static func length(_ range: PartialRangeThrough<Int>) -> AttributeRule {
    AttributeRule(kind: .length(least: 0, most: range.upperBound))
  }

  /// The least and the greatest value of a number, a date or a duration.
  ///
  /// Integers are bounds for every number; of a date and a `Duration` the bounds must be dates and
  /// durations.
  public static func range<Bound: AttributeValue & Comparable>(
    _ range: ClosedRange<Bound>
  ) -> AttributeRule {
    self.range(least: range.lowerBound.scalar, most: range.upperBound.scalar, of: Bound.self)
  }

  /// The least value of a number, a date or a duration.
  public static func range<Bound: AttributeValue & Comparable>(
    _ range: PartialRangeFrom<Bound>
  ) -> AttributeRule {
    self.range(least: range.lowerBound.scalar, most: .null, of: Bound.self)
  }

  /// The greatest value of a number, a date or a duration.
  public static func range<Bound: AttributeValue & Comparable>(
    _ range: PartialRangeThrough<Bound>
  ) -> AttributeRule {
    self.range(least: .null, most: range.upperBound.scalar, of: Bound.self)
  }

  /// A regular expression, in Swift's syntax, that the whole text must match, as with Core Data's
  /// `MATCHES`; characters are Unicode scalars.
  ///
  /// It runs where the save does. A repetition within a repetition, as in `(a+)+b`, may take a time that
  /// doubles with every character; a `.length` beside it is tested first, and limits that.
  public static func matches(_ pattern: String) -> AttributeRule {
    AttributeRule(kind: .pattern(pattern))
  }

  /// What only a program can say of a value.
  ///
  /// Two such rules are equal only if one is a copy of the other.
  /// - Parameters:
  ///   - sentence: What is said of a value that is refused, after the property's name: "must be even".
  ///   - holds: Whether a value is right. It runs wherever a save is, and takes what the store keeps:
  ///     the raw value of an enumeration.
  public static func check<Value: AttributeValue>(
    _ sentence: String, _ holds: @escaping @Sendable (Value) -> Bool
  ) -> AttributeRule {
    AttributeRule(kind: .check(RuleCheck(sentence, holds)))
  }

  private static func range<Bound: AttributeValue>(
    least: AttributeScalar, most: AttributeScalar, of bound: Bound.Type
  ) -> AttributeRule {
    let type = BoundType(type: Bound.attributeType, unstorable: Bound._unstorable)
    return AttributeRule(kind: .range(least: least, most: most, of: type))
  }
}

/// A program's own test of a value.
package final class RuleCheck: Sendable {
  package let sentence: String
  /// The type of the values that it takes.
  package let type: AttributeType
  /// What tells a `Duration` from an integer.
  package let unstorable: _Unstorable?
  /// Asked with a slot, which is not nil, and the row that it lies in.
  package let holds: @Sendable (Int64, UnsafePointer<Int64>) -> Bool

  init<Value: AttributeValue>(_ sentence: String, _ holds: @escaping @Sendable (Value) -> Bool) {
    self.sentence = sentence
    type = Value.attributeType
    unstorable = Value._unstorable
    self.holds = { holds(Value._read(slot: $0, row: $1, isNull: false)) }
  }
}

extension RuleCheck: Hashable {
  package static func == (a: RuleCheck, b: RuleCheck) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

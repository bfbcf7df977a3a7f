/// What stands in a slot for a value of a type that no store can keep, and what the type says of it.
///
/// A setter cannot throw, and to round would be a silent loss; so a save refuses the value. Reading
/// the property shows what the type shows for it.
/// - Note: It serves ``AttributeValue``.
public struct _Unstorable: Sendable, Hashable {
  /// The slot's content.
  package let slot: Int64
  /// What can be kept, such as "a Duration has whole nanoseconds".
  package let reason: String
}

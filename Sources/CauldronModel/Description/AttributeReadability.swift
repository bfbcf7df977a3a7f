/// Whether what a store keeps of an attribute is a value of the type that its class declares.
///
/// Classes cannot fail at reading: what they cannot decode they show as the default. So only who asks
/// is told.
package struct AttributeReadability: Sendable {
  /// What is wrong with a value, as the end of a sentence.
  package enum Trouble: String, Sendable {
    /// The raw value is that of no case.
    case unknownCase = "is no case of its enumeration"
    /// The bytes are no JSON of the type, or the text is no URL.
    case undecodable = "cannot be decoded"
  }

  /// Nil for a value that the class can show.
  package let trouble: @Sendable (AttributeScalar) -> Trouble?

  package init(_ trouble: @escaping @Sendable (AttributeScalar) -> Trouble?) {
    self.trouble = trouble
  }
}

/// What is wrong where elements of equal section value do not follow each other: the order and the
/// sections of the list do not fit.
package struct RepeatedSection<Value: Hashable & Sendable>: Error, Hashable {
  /// The value that two sections would have.
  package let value: Value
  /// The value of the section before the second of them, which keeps both apart.
  package let between: Value
}

/// A section: adjacent elements of equal section value.
package struct SectionRun<Value: Hashable & Sendable>: Hashable, Sendable {
  package let value: Value
  /// The number of its elements, at least one.
  package internal(set) var count: Int

  package init(_ value: Value, _ count: Int) {
    self.value = value
    self.count = count
  }
}

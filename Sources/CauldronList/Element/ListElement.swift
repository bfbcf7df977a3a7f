/// What a list consists of: a small value that is copied by its bits, usually the address of a row.
///
/// A list keeps no memory that an element points to; who keeps a list keeps that, too.
package protocol ListElement: BitwiseCopyable, Equatable, Sendable {
  /// What an element is known by; no two elements of a list have the same.
  var key: Int64 { get }

  /// Whether another element of the same key says the same, so that nobody need be told of it.
  func hasSameContent(as other: Self) -> Bool
}

extension ListElement {
  package func hasSameContent(as other: Self) -> Bool { self == other }
}

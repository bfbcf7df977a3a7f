/// Something that is wrong with a store, in one sentence.
///
/// ```swift
/// for finding in try await Stack.default.verify() { print(finding) }
/// ```
public struct StoreFinding: Sendable, Hashable, Codable {
  /// What is wrong.
  public let kind: Kind
  /// The sentence that says what is wrong with which thing; it shows no values.
  public let message: String
  /// The entity concerned.
  public let entity: String?
  /// The property concerned.
  public let property: String?
  /// How many rows are concerned; 0 where it is not about rows.
  public let count: Int
  /// The keys of the first ten rows.
  public let keys: [Int64]

  package init(
    _ kind: Kind, _ message: String, entity: String? = nil, property: String? = nil,
    count: Int = 0, keys: [Int64] = []
  ) {
    self.kind = kind
    self.message = message
    self.entity = entity
    self.property = property
    self.count = count
    self.keys = keys
  }
}

extension StoreFinding: CustomStringConvertible {
  /// The sentence.
  public var description: String { message }
}

/// Describes an index, which makes fetches that compare or sort by its properties quick.
///
/// ```swift
/// IndexDescription(properties: ["kind", "order"])
/// ```
///
/// Indexes are no part of the version hash: a store that lacks one gets it when it is opened.
public struct IndexDescription: Sendable, Hashable {
  /// The index's name, which must be the only one of its kind in the entity.
  public var name: String
  /// The names of the attributes and to-one relationships, the one that is compared first in front.
  public var properties: [String]

  /// Describes an index.
  /// - Parameters:
  ///   - name: Its name; where it is nil, one such as `byKindAndOrder`.
  ///   - properties: The names of the attributes and to-one relationships.
  public init(name: String? = nil, properties: [String]) {
    self.name = name ?? Self.name(of: properties)
    self.properties = properties
  }

  private static func name(of properties: [String]) -> String {
    let parts = properties.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return "by" + parts.joined(separator: "And")
  }
}

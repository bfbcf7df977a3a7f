public import CauldronModel

/// A section of a list.
public struct FetchedResultsSection: Sendable, Hashable {
  /// What the section is called: the value that its objects have in common, as text; empty for nil, and
  /// for the one section of a list that is not divided.
  public let name: String
  /// That value; nil for a list that is not divided.
  public let value: AttributeScalar?
  /// The places of its objects in the whole list.
  public let places: Range<Int>

  /// How many objects it has.
  public var numberOfObjects: Int { places.count }

  /// What stands for it in an index beside the list: the first letter of the name, as a capital.
  public var indexTitle: String { name.first.map { String($0).uppercased() } ?? "" }
}

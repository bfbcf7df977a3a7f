public import Cauldron
public import Foundation

// A request's properties by Core Data's names.

extension FetchRequest {
  /// The order as sort descriptors; one that cannot be used is reported and left out.
  @available(*, deprecated, message: "set 'sortKeys' to [SortKey(\"name\")]")
  public var sortDescriptors: [NSSortDescriptor]? {
    get { sortKeys.map { KeySortDescriptor($0.key, ascending: $0.ascending) } }
    set {
      sortKeys = (newValue ?? []).compactMap { descriptor in
        MagicalRecord.attempt { try descriptor.sortKey(of: Object.self) }
      }
    }
  }

  /// The most objects to return; 0 for all.
  @available(*, deprecated, renamed: "limit")
  public var fetchLimit: Int {
    get { limit ?? 0 }
    set { limit = newValue == 0 ? nil : newValue }
  }

  /// How many objects to leave out at the start.
  @available(*, deprecated, renamed: "offset")
  public var fetchOffset: Int {
    get { offset }
    set { offset = newValue }
  }
}

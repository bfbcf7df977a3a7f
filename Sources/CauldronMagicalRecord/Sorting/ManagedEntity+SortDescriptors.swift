public import Cauldron
public import Foundation

extension ManagedEntity {
  /// Sort descriptors of keys, all with the smallest value first.
  @available(*, deprecated, message: "use 'sortedBy: .ascending(\\.name, \\.age)'")
  public static func mr_ascendingSortDescriptors(_ keys: [String]?) -> [NSSortDescriptor] {
    (keys ?? []).map { KeySortDescriptor($0, ascending: true) }
  }

  /// Sort descriptors of keys, all with the largest value first.
  @available(*, deprecated, message: "use 'sortedBy: .descending(\\.name, \\.age)'")
  public static func mr_descendingSortDescriptors(_ keys: [String]?) -> [NSSortDescriptor] {
    (keys ?? []).map { KeySortDescriptor($0, ascending: false) }
  }
}

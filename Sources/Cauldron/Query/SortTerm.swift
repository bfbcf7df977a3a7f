public import CauldronGraph

/// An attribute to sort by, where there are several or the order is descending.
///
/// ```swift
/// try Person.findAll(sortedBy: [.ascending(\.name), .descending(\.age)], in: context)
/// ```
public struct SortTerm<Object: ManagedEntity>: Sendable, Hashable {
  /// The attribute's name and direction.
  public let key: SortKey

  init(_ path: PartialKeyPath<Object>, ascending: Bool) {
    key = SortKey(KeyPathTable.name(of: path), ascending: ascending)
  }

  /// Smallest first; nil counts as smaller than all.
  public static func ascending(_ path: PartialKeyPath<Object>) -> SortTerm {
    SortTerm(path, ascending: true)
  }

  /// Largest first.
  public static func descending(_ path: PartialKeyPath<Object>) -> SortTerm {
    SortTerm(path, ascending: false)
  }
}

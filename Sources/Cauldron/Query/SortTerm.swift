public import CauldronGraph
import CauldronModel
public import CauldronQuery

/// An attribute to sort by, where there are several or the order is descending.
///
/// ```swift
/// try Person.findAll(sortedBy: [.ascending(\.name), .descending(\.age)], in: context)
/// ```
public struct SortTerm<Object: ManagedEntity>: Sendable, Hashable {
  /// The attribute's name and direction.
  public let key: SortKey

  /// A term that is described by itself, such as one whose attribute's name is a text.
  ///
  /// ```swift
  /// try Person.findFirst(sortedBy: [SortTerm(SortKey("name", ascending: false))])
  /// ```
  public init(_ key: SortKey) { self.key = key }

  init(_ path: PartialKeyPath<Object>, ascending: Bool, _ options: TextOptions = []) {
    key = SortKey(.property(KeyPathTable.path(of: path)), ascending: ascending, options)
  }

  /// Smallest first; nil counts as smaller than all.
  /// - Parameters:
  ///   - path: The attribute.
  ///   - options: What is left out of account where the values are texts; nothing by default.
  public static func ascending(
    _ path: PartialKeyPath<Object>, _ options: TextOptions = []
  ) -> SortTerm {
    SortTerm(path, ascending: true, options)
  }

  /// Largest first.
  /// - Parameters:
  ///   - path: The attribute.
  ///   - options: What is left out of account where the values are texts; nothing by default.
  public static func descending(
    _ path: PartialKeyPath<Object>, _ options: TextOptions = []
  ) -> SortTerm {
    SortTerm(path, ascending: false, options)
  }

  /// By language and number, such as `.ascending(\.name, .localizedStandard)`; nil comes first.
  /// - Complexity: No index helps; about a microsecond for each row.
  public static func ascending(_ path: PartialKeyPath<Object>, _ order: TextOrder) -> SortTerm {
    SortTerm(SortKey(.property(KeyPathTable.path(of: path)), order))
  }

  /// By language and number, from the last one.
  /// - Complexity: No index helps; about a microsecond for each row.
  public static func descending(_ path: PartialKeyPath<Object>, _ order: TextOrder) -> SortTerm {
    SortTerm(SortKey(.property(KeyPathTable.path(of: path)), ascending: false, order))
  }
}

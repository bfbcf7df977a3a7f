public import CauldronGraph
public import CauldronModel

/// Which objects, in which order and window: a value that can be kept, handed to other tasks, made
/// narrower, and asked in any context.
///
/// ```swift
/// let adults = Person.where(\.age >= 18).sorted(by: \.name).limit(20)
/// try adults.fetch(in: context)
/// try adults.count(in: context)
/// try await adults.fetch()
/// ```
/// The calls with `in:` work where the context is. Those without are asynchronous and for the main
/// actor: they read in the background what the default context sees, and hand it over.
public struct ObjectQuery<Object: ManagedEntity>: Sendable, Hashable {
  /// The same as a request, which can be changed.
  public var request: FetchRequest<Object>

  /// Asks what a request asks; by default for all objects of the class.
  public init(_ request: FetchRequest<Object> = FetchRequest()) { self.request = request }

  /// Only those for which a condition holds, too.
  public func `where`(_ condition: Where<Object>) -> ObjectQuery {
    changed { $0.predicate = $0.predicate.map { .and([$0, condition.node]) } ?? condition.node }
  }

  /// Only those for which a condition in the builder's form holds, too.
  public func `where`(_ condition: (Object.QueryRoot) -> Where<Object>) -> ObjectQuery {
    self.where(condition(Object.QueryRoot.root))
  }

  /// In the order of an attribute, where the order so far leaves it open.
  /// - Parameters:
  ///   - ascending: Whether the smallest value comes first; true by default.
  ///   - options: What is left out of account where the values are texts; nothing by default.
  public func sorted(
    by path: PartialKeyPath<Object>, ascending: Bool = true, _ options: TextOptions = []
  ) -> ObjectQuery {
    sorted(by: [SortTerm(path, ascending: ascending, options)])
  }

  /// In the order of a value that may reach through relationships, where the order so far leaves it
  /// open.
  public func sorted(by order: (Object.QueryRoot) -> some SortValue<Object>) -> ObjectQuery {
    sorted(by: [order(Object.QueryRoot.root).sortTerm])
  }

  /// In the order of several values, where the order so far leaves it open.
  public func sorted(by order: [SortTerm<Object>]) -> ObjectQuery {
    changed { $0.sortKeys += order.map(\.key) }
  }

  /// The first ones alone. A negative number is refused by the fetch.
  public func limit(_ most: Int) -> ObjectQuery { changed { $0.limit = most } }

  /// Without the first ones. A negative number is refused by the fetch.
  public func offset(_ count: Int) -> ObjectQuery { changed { $0.offset = count } }

  /// Whether objects of subentities belong to it; they do by default.
  public func includingSubentities(_ includes: Bool) -> ObjectQuery {
    changed { $0.includesSubentities = includes }
  }

  /// Whether unsaved changes decide, too; they do by default.
  public func includingPendingChanges(_ includes: Bool) -> ObjectQuery {
    changed { $0.includesPendingChanges = includes }
  }

  /// Whether registered objects without unsaved changes show the newest values, too; they do not by
  /// default.
  public func refreshingRefetchedObjects(_ refreshes: Bool) -> ObjectQuery {
    changed { $0.shouldRefreshRefetchedObjects = refreshes }
  }

  func changed(_ change: (inout FetchRequest<Object>) -> Void) -> ObjectQuery {
    var copy = self
    change(&copy.request)
    return copy
  }
}

extension ManagedEntity {
  /// The objects for which a condition holds, to be fetched, counted or narrowed.
  ///
  /// ```swift
  /// let adults = Person.where(\.age >= 18).sorted(by: \.name).limit(20)
  /// ```
  public static func `where`(_ condition: Where<Self>) -> ObjectQuery<Self> {
    ObjectQuery().where(condition)
  }

  /// The objects for which a condition in the builder's form holds.
  public static func `where`(
    _ condition: (QueryRoot) -> Where<Self>
  ) -> ObjectQuery<Self> { ObjectQuery().where(condition) }
}

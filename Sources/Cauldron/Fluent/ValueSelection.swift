public import CauldronGraph
public import CauldronModel
import CauldronQuery

/// Columns in the place of objects, typed: no more is read than they need.
///
/// ```swift
/// let lines = try Person.select(\.name, \.age).where(\.isActive).fetch(in: context)
/// // [(String, Int)]: SELECT ZNAME, ZAGE FROM ZPERSON WHERE ZISACTIVE = 1 ORDER BY Z_PK
/// let cities = try Person.select(\.city).distinct().fetch(in: context)
/// // [String]: a single column gives plain values
/// ```
/// A line of several columns is a tuple, one of a single column is its value. A value that an object lacks
/// and must have shows as the type's zero, as its property does.
public struct ValueSelection<Object: ManagedEntity, Line: Sendable>: Sendable {
  /// The same as a request.
  public let request: ValueRequest<Object>
  let shape: LineShape<Line>

  private init(_ request: ValueRequest<Object>, _ shape: LineShape<Line>) {
    self.request = request
    self.shape = shape
  }

  init(_ query: ObjectQuery<Object>, _ columns: [QueryExpression], _ shape: LineShape<Line>) {
    var request = ValueRequest(query.request)
    request.columns = columns
    self.init(request, shape)
  }

  func with(_ query: ObjectQuery<Object>, isDistinct: Bool? = nil) -> Self {
    var request = ValueRequest(query.request)
    request.columns = self.request.columns
    request.isDistinct = isDistinct ?? self.request.isDistinct
    return Self(request, shape)
  }

  var query: ObjectQuery<Object> { ObjectQuery(request.objects) }

  /// Only those objects for which a condition holds, too.
  public func `where`(_ condition: Where<Object>) -> Self { with(query.where(condition)) }

  /// Only those objects for which a condition in the builder's form holds, too.
  public func `where`(_ condition: (QueryPath<Object, Object>) -> Where<Object>) -> Self {
    with(query.where(condition))
  }

  /// In the order of values that may reach through relationships, where the order so far leaves it open.
  public func sorted(
    by order: ((QueryPath<Object, Object>) -> any SortValue<Object>)..., ascending: Bool = true
  ) -> Self { with(query.sorted(by: Object.keys(of: order, ascending: ascending))) }

  /// In the order of sort keys, such as those that a user has chosen.
  public func sorted(by keys: [SortKey]) -> Self { with(query.sorted(by: keys)) }

  /// The first lines alone.
  public func limit(_ most: Int) -> Self { with(query.limit(most)) }

  /// Without the first lines.
  public func offset(_ count: Int) -> Self { with(query.offset(count)) }

  /// Equal lines once; they can be sorted by their columns alone, and come so without an order.
  public func distinct() -> Self { with(query, isDistinct: true) }

  /// The lines, unsaved changes of the context's chain included.
  /// - Throws: `query.…`, `query.overflow` for integers beyond 64 bits, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func fetch(in context: some ObjectContext) throws -> [Line] {
    try shape.lines(context.managedObjectContext.fetchLines(request))
  }

  /// The lines that the default context sees; they are read in the background.
  /// - Throws: As ``fetch(in:)``.
  @MainActor
  public func fetch() async throws -> [Line] {
    let (request, shape) = (request, shape)
    return try await ObjectQuery<Object>.reading {
      try shape.lines($0.context.fetchLines(request))
    }
  }
}

extension ObjectQuery {
  /// An attribute of the objects: its values, as they are.
  public func select<Column: AttributeValue>(
    _ path: KeyPath<Object, Column>
  ) -> ValueSelection<Object, Column> {
    ValueSelection(self, [.property(KeyPathTable.path(of: path))], .single())
  }

  /// Some attributes of the objects, typed.
  public func select<each Column: AttributeValue>(
    _ path: repeat KeyPath<Object, each Column>
  ) -> ValueSelection<Object, (repeat each Column)> {
    var columns: [QueryExpression] = []
    for path in repeat each path { columns.append(.property(KeyPathTable.path(of: path))) }
    return ValueSelection(self, columns, .tuple())
  }
}

extension ManagedEntity {
  /// An attribute of the objects, in the place of the objects: its values, as they are.
  ///
  /// ```swift
  /// let nicknames = try Person.select(\.nickname).fetch(in: context).compactMap { $0 }   // [String]
  /// ```
  public static func select<Column: AttributeValue>(
    _ path: KeyPath<Self, Column>
  ) -> ValueSelection<Self, Column> { ObjectQuery().select(path) }

  /// Some attributes of the objects, typed, in the place of the objects.
  ///
  /// ```swift
  /// for (name, age) in try Person.select(\.name, \.age).fetch(in: context) { … }
  /// ```
  public static func select<each Column: AttributeValue>(
    _ path: repeat KeyPath<Self, each Column>
  ) -> ValueSelection<Self, (repeat each Column)> { ObjectQuery().select(repeat each path) }
}

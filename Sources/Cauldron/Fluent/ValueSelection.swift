public import CauldronGraph
public import CauldronModel

/// Columns in the place of objects, typed: no more is read than they need.
///
/// ```swift
/// let lines = try Person.select(\.name, \.age).where(\.isActive).fetch(in: context)
/// // [(String, Int)]: SELECT ZNAME, ZAGE FROM ZPERSON WHERE ZISACTIVE = 1 ORDER BY Z_PK
/// let cities = try Person.select(\.city).distinct().fetch(in: context)
/// ```
/// A value that an object lacks and must have shows as the type's zero, as its property does.
public struct ValueSelection<Object: ManagedEntity, each Column: AttributeValue>: Sendable {
  /// The same as a request.
  public let request: ValueRequest<Object>

  init(_ query: ObjectQuery<Object>, _ columns: [QueryExpression], isDistinct: Bool = false) {
    var request = ValueRequest(query.request)
    request.columns = columns
    request.isDistinct = isDistinct
    self.request = request
  }

  private func with(_ query: ObjectQuery<Object>, isDistinct: Bool? = nil) -> Self {
    Self(query, request.columns, isDistinct: isDistinct ?? request.isDistinct)
  }

  private var query: ObjectQuery<Object> { ObjectQuery(request.objects) }

  /// Only those objects for which a condition holds, too.
  public func `where`(_ condition: Where<Object>) -> Self { with(query.where(condition)) }

  /// Only those objects for which a condition in the builder's form holds, too.
  public func `where`(_ condition: (Object.QueryRoot) -> Where<Object>) -> Self {
    with(query.where(condition))
  }

  /// In the order of an attribute, where the order so far leaves it open.
  public func sorted(by path: PartialKeyPath<Object>, ascending: Bool = true) -> Self {
    with(query.sorted(by: path, ascending: ascending))
  }

  /// In the order of a value that may reach through relationships.
  public func sorted(by order: (Object.QueryRoot) -> some SortValue<Object>) -> Self {
    with(query.sorted(by: order))
  }

  /// The first lines alone.
  public func limit(_ most: Int) -> Self { with(query.limit(most)) }

  /// Without the first lines.
  public func offset(_ count: Int) -> Self { with(query.offset(count)) }

  /// Equal lines once; they can be sorted by their columns alone, and come so without an order.
  public func distinct() -> Self { with(query, isDistinct: true) }

  /// The lines, unsaved changes of the context's chain included.
  /// - Throws: `query.…`, `query.overflow` for integers beyond 64 bits, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func fetch(in context: some ObjectContext) throws -> [(repeat each Column)] {
    try Self.lines(context.managedObjectContext.fetchLines(request))
  }

  /// The lines that the default context sees; they are read in the background.
  /// - Throws: As ``fetch(in:)``.
  @MainActor
  public func fetch() async throws -> [(repeat each Column)] {
    let request = request
    return try await ObjectQuery<Object>.reading {
      try Self.lines($0.context.fetchLines(request))
    }
  }

  private static func lines(_ found: FetchedLines) throws -> [(repeat each Column)] {
    switch found {
    case .values(let lines): return try lines.map(line)
    case .rows(let rows, let indexes): return tuples(rows, indexes)
    }
  }

  /// A column at a time, for which each type has code of its own: to put tuples together one by one
  /// would take several times as long.
  private static func tuples(_ rows: RowSet, _ indexes: [Int]) -> [(repeat each Column)] {
    // The empty array is one for the whole process, and its count would be written here.
    if rows.isEmpty { return [] }
    let offsets = offsets
    return Array(unsafeUninitializedCapacity: rows.count) { buffer, count in
      guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      let stride = MemoryLayout<(repeat each Column)>.stride
      var column = 0
      for type in repeat (each Column).self {
        rows.fill(start + offsets[column], stride: stride, indexes[column], type)
        column += 1
      }
      count = rows.count
    }
  }

  /// Where the elements of the tuple lie: one behind the other, each at a multiple of its alignment
  /// (https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeLayout.rst).
  private static var offsets: [Int] {
    var offsets: [Int] = []
    var end = 0
    func add<Value>(_ type: Value.Type) {
      let alignment = MemoryLayout<Value>.alignment
      end = (end + alignment - 1) / alignment * alignment
      offsets.append(end)
      end += MemoryLayout<Value>.size
    }
    repeat add((each Column).self)
    return offsets
  }

  static func line(_ scalars: [AttributeScalar]) throws -> (repeat each Column) {
    var line = LineReader(scalars)
    return (repeat try line.next((each Column).self))
  }
}

/// Reads the values of a line one by one.
struct LineReader {
  private var scalars: ArraySlice<AttributeScalar>

  init(_ scalars: [AttributeScalar]) { self.scalars = scalars[...] }

  /// - Throws: `query.overflow` where integers have become a Double that is none of the type.
  mutating func next<Value: AttributeValue>(_ type: Value.Type) throws -> Value {
    let scalar = scalars.popFirst() ?? .null
    if case .real(let number) = scalar, Value.attributeType.storageClass == .integer,
      Int64(exactly: number) == nil
    {
      throw CauldronError.overflow(number)
    }
    return Value.shown(for: scalar)
  }
}

extension ObjectQuery {
  /// Some attributes of the objects, typed.
  public func select<each Column: AttributeValue>(
    _ path: repeat KeyPath<Object, each Column>
  ) -> ValueSelection<Object, repeat each Column> {
    var columns: [QueryExpression] = []
    for path in repeat each path { columns.append(.property(KeyPathTable.path(of: path))) }
    return ValueSelection(self, columns)
  }
}

extension ManagedEntity {
  /// Some attributes of the objects, typed, in the place of the objects.
  ///
  /// ```swift
  /// for (name, age) in try Person.select(\.name, \.age).fetch(in: context) { … }
  /// ```
  public static func select<each Column: AttributeValue>(
    _ path: repeat KeyPath<Self, each Column>
  ) -> ValueSelection<Self, repeat each Column> { ObjectQuery().select(repeat each path) }
}

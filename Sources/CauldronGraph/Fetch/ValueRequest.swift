import CauldronLedger
public import CauldronModel
public import CauldronQuery

/// What to fetch in the place of objects: columns, distinct ones, or groups with what is gathered
/// from them.
///
/// ```swift
/// var request = ValueRequest(FetchRequest<Person>())
/// request.columns = [.property("city"), .aggregate(.count, of: "SELF", nil)]
/// request.groups = [.property("city")]
/// request.having = .comparison(.aggregate(.count, of: "SELF", nil), .greater, .value(.integer(2)), [])
/// let lines = try context.fetchValues(request)
/// ```
/// Within it an aggregate of `SELF` gathers from the rows of a group. The short forms are
/// `select`, `distinct` and `grouped(by:)`.
public struct ValueRequest<Object: ManagedObject>: Sendable, Hashable {
  /// Which objects, and the order and the window of the lines.
  public var objects: FetchRequest<Object>
  /// Which of those objects the lines are made of, where a number of them decides; nil for all.
  public var window: ObjectWindow?
  /// What each line has; empty for all attributes that are stored.
  public var columns: [QueryExpression] = []
  /// What the objects of a group have in common; nil for a line for each object, empty for one line
  /// of them all.
  public var groups: [QueryExpression]?
  /// Which groups are wanted; nil for all.
  public var having: PredicateNode?
  /// Whether equal lines come once.
  public var isDistinct = false

  /// Requests the values of the objects that a request selects.
  public init(_ objects: FetchRequest<Object>) { self.objects = objects }
}

/// Some of many objects: those at some places of an order.
public struct ObjectWindow: Sendable, Hashable {
  /// The order; objects that are equal in it come by their keys. Without an order they come as a fetch
  /// gives them: those with unsaved changes last.
  public var sortKeys: [SortKey] = []
  /// The most objects; nil for all.
  public var limit: Int?
  /// How many objects are left out at the start.
  public var offset = 0

  /// All objects.
  public init() {}
}

extension ManagedObjectContext {
  /// The lines of a value request, unsaved changes of this context and its ancestors included.
  ///
  /// Lines without an order come by their groups, or by their values where equal ones come once, or
  /// else by the objects' keys.
  /// - Throws: `query.…` for what has no meaning, such as a column that its group does not decide;
  ///   `store.…`.
  /// - Complexity: One statement that reads the columns alone; with pending changes the rows are
  ///   read, and O(rows).
  public func fetchValues<Object: ManagedObject>(
    _ request: ValueRequest<Object>
  ) throws -> [[AttributeScalar]] {
    prove()
    let query = try core.requests.query(request)
    core.publisher.publishForQuery()
    return try core.fetcher.reading(
      query, includesPendingChanges: request.objects.includesPendingChanges, count: \.count
    ) {
      try $0.values($1, builder: &$2)
    }
  }

  /// The same, as rows where the columns are attributes whose values the store alone decides: they are
  /// packed, so that typed values can be made of them without a detour.
  package func fetchLines<Object: ManagedObject>(
    _ request: ValueRequest<Object>
  ) throws -> FetchedLines {
    prove()
    let query = try core.requests.query(request)
    core.publisher.publishForQuery()
    return try core.fetcher.reading(
      query, includesPendingChanges: request.objects.includesPendingChanges, count: \.count
    ) {
      if let rows = try $0.columns($1), let columns = $1.plainColumns {
        return .rows(rows, columns.map(\.index))
      }
      return .values(try $0.values($1, builder: &$2))
    }
  }

  /// The attributes of the objects that a request selects, by name; `.null` for nil.
  /// - Parameter names: Which attributes, also of what to-one relationships lead to, such as
  ///   `employer.name`; nil for all of the object's own.
  /// - Throws: As ``fetchValues(_:)``.
  public func fetchDictionaries<Object: ManagedObject>(
    _ request: FetchRequest<Object>, names: [String]? = nil
  ) throws -> [[String: AttributeScalar]] {
    prove()
    let entity = try core.requests.layout(named: request.entityName, for: Object.self)
    let names = names ?? entity.properties.filter { $0.attributeType != nil }.map(\.name)
    var values = ValueRequest(request)
    values.columns = names.map { .property(PropertyPath($0)) }
    return try fetchValues(values).map { line in
      Dictionary(zip(names, line)) { first, _ in first }
    }
  }
}

/// What a value request has found.
package enum FetchedLines: Sendable {
  case values([[AttributeScalar]])
  /// Rows, and which property makes each column.
  case rows(RowSet, [Int])

  var count: Int {
    switch self {
    case .values(let lines): lines.count
    case .rows(let rows, _): rows.count
    }
  }
}

extension RequestResolver {
  /// A request, resolved and checked.
  package func query<Object: ManagedObject>(
    _ request: ValueRequest<Object>
  ) throws -> ValueQuery {
    let objects = request.objects
    let rows = try query(
      named: objects.entityName, of: Object.self, for: objects.windowed(request.window))
    try check(limit: objects.limit, offset: objects.offset, rows.entity)
    return try ValueBinder(storeNumber: place.coordinator.storeNumber, query: rows)
      .bind(request)
  }
}

extension Fetcher {
  /// Reads what a value query asks for.
  fileprivate func reading<Found>(
    _ query: ValueQuery, includesPendingChanges: Bool, count: (Found) -> Int,
    read: (Snapshot, ValueQuery, inout RowBuilder) throws -> Found
  ) throws -> Found {
    let found = try timed(query.rows) {
      try keys.withSettledKeys {
        let query = keys.followed(query)
        return try place.coordinator.read(for: place.node) { snapshot in
          try read(
            includesPendingChanges ? snapshot : snapshot.withoutLayers, query, &drafts.builder)
        }.0
      }
    } count: {
      count($0)
    }
    noticeOthers()
    return found
  }
}

/// Resolves the columns and groups of a value request, and checks that each line has one value for
/// each column.
struct ValueBinder {
  let storeNumber: Int32
  let query: StoreQuery

  private var entity: EntityLayout { query.entity }

  func bind<Object>(_ request: ValueRequest<Object>) throws -> ValueQuery {
    var values = ValueQuery(query)
    let columns = request.columns.isEmpty ? all : request.columns
    let (groups, having, order) = (request.groups, request.having, request.objects.sortKeys)
    let expressions = columns + (groups ?? []) + order.map(\.expression)
    if having?.isTooDeep == true || expressions.contains(where: \.isTooDeep) {
      throw CauldronError.tooDeep(entity)
    }
    if let groups {
      for expression in columns + order.map(\.expression) { try check(expression, among: groups) }
      if let having { try check(having, among: groups) }
      values.groups = try groups.map { try bind($0, hasGroups: false) }
    } else if having != nil {
      throw CauldronError.withoutGroups(entity)
    }
    if request.isDistinct {
      for key in order where !columns.contains(key.expression) || !key.options.isEmpty {
        throw CauldronError.unsupported(
          entity, key.key, "distinct lines can only be sorted by their columns")
      }
    }
    let hasGroups = groups != nil
    values.columns = try columns.map { try bind($0, hasGroups: hasGroups) }
    values.having = try having?.bound(
      to: entity, storeNumber: storeNumber, hasGroups: hasGroups)
    values.order = try order.map { try $0.bound(to: entity, storeNumber, hasGroups: hasGroups) }
    values.isDistinct = request.isDistinct
    values.limit = request.objects.limit
    values.offset = request.objects.offset
    return values
  }

  private var all: [QueryExpression] {
    entity.properties.filter { $0.attributeType != nil }
      .map { .property(PropertyPath(steps: [$0.name])) }
  }

  private func bind(
    _ expression: QueryExpression, hasGroups: Bool
  ) throws -> BoundExpression {
    let bound = try expression.bound(
      to: entity, storeNumber: storeNumber, hasGroups: hasGroups)
    guard case .reference = bound.kind else { return bound }
    throw CauldronError.unsupported(
      entity, "\(expression)", "\(expression) is an object, and no value",
      hint: "Select one of its attributes.")
  }

  private func check(_ expression: QueryExpression, among groups: [QueryExpression]) throws {
    if let free = expression.undecided(by: groups) { throw undecided("\(free)") }
  }

  private func check(_ node: PredicateNode, among groups: [QueryExpression]) throws {
    if let free = node.undecided(by: groups) { throw undecided(free) }
  }

  private func undecided(_ text: String) -> CauldronError {
    CauldronError.unsupported(
      entity, text, "the objects of a group may differ in \(text)",
      hint: "Group by it, or gather it: count, sum, min, max or average.")
  }
}

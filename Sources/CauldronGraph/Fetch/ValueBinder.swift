import CauldronModel
import CauldronQuery

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

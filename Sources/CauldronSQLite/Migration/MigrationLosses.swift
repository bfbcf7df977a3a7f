import CauldronModel
import CauldronStore

/// What would be lost, and whether the code gives it up.
struct MigrationLosses {
  let mapping: ModelMapping
  let permission: MigrationPermission
  /// The steps that run, and those that do not.
  let steps: MigrationPlan.Selection
  /// How many values or objects go with each loss.
  let counts: [ModelChange: Int]

  /// What is lost, allowed or not.
  var all: [MigrationForecast.Loss] {
    mapping.changes.compactMap { change in
      guard let loss = change.loss else { return nil }
      return MigrationForecast.Loss(
        name: change.property == nil ? loss : "\(change.entity).\(loss)",
        count: counts[change] ?? 0, isAllowed: isAllowed(change, losing: loss))
    }
  }

  /// An error for each loss that nobody has allowed.
  var refused: [CauldronError] {
    mapping.changes.compactMap { change in
      guard let loss = change.loss, !isAllowed(change, losing: loss) else { return nil }
      return change.property == nil
        ? entity(of: change, named: loss) : property(of: change, loss: loss)
    }
  }

  private func isAllowed(_ change: ModelChange, losing loss: String) -> Bool {
    guard change.property != nil else { return permission.discarding.contains(loss) }
    if permission.discarding.contains("\(change.entity).\(loss)") { return true }
    // A step names the entity as the store does.
    let former = mapping.destination.layout(named: change.entity).flatMap(mapping.source(of:))
    if let former, permission.discarding.contains("\(former.name).\(loss)") { return true }
    // The entity itself, or one that it was declared above of.
    return mapping.destination.entityLayouts.contains {
      ($0.name == change.entity || goesOn($0, from: change.entity))
        && $0.description.discards.contains(loss)
    }
  }

  /// Whether an entity's objects were of an entity that is gone.
  private func goesOn(_ layout: EntityLayout, from name: String) -> Bool {
    var old = mapping.source(of: layout)
    while let entity = old {
      if entity.name == name { return true }
      old = entity.superentity
    }
    return false
  }

  private func entity(of change: ModelChange, named name: String) -> CauldronError {
    CauldronError(
      .migrationWouldDiscard,
      "All objects of \(name) would be lost, which the model has no more\(count(change)).",
      hint: hint(name)
        + "If that is meant: \(allowance(of: name))."
        + " If it was renamed: @Entity(originalName: \"\(name)\")."
    ).with { $0.entity = name }
  }

  private func property(of change: ModelChange, loss: String) -> CauldronError {
    let name = change.property ?? ""
    let renamed = candidate(change).map {
      " Was it renamed to \($0)? Then: @Attribute(originalName: \"\(name)\") var \($0)."
    }
    return CauldronError(
      .migrationWouldDiscard,
      "The values of \(change.entity).\(name) would be lost, which the model has no more"
        + "\(count(change)).",
      hint: hint(permissionName(for: change, loss: loss))
        + "If that is meant: \(permission(for: change, loss: loss)).\(renamed ?? "")"
    ).with {
      $0.entity = change.entity
      $0.property = name
    }
  }

  /// What allows the loss: a word at the class, or in the configuration where the entity has no class.
  private func permission(for change: ModelChange, loss: String) -> String {
    let entity = mapping.destination.layout(named: change.entity)
    return entity?.description.managedObjectClass == nil
      ? allowance(of: "\(change.entity).\(loss)")
      : "@Entity(discards: [\"\(loss)\"]) on \(change.entity)"
  }

  /// What allows a loss without a class.
  private func allowance(of name: String) -> String {
    permission.isFormer
      ? "discarding: [\"\(name)\"] for the version that has it no more"
      : "configuration.migration = .automatic(discarding: [\"\(name)\"])"
  }

  private func count(_ change: ModelChange) -> String {
    counts[change].map { "; there are \($0)" } ?? ""
  }

  /// A loss as a step declares it, with the store's name for the entity.
  private func permissionName(for change: ModelChange, loss: String) -> String {
    let former = mapping.destination.layout(named: change.entity).flatMap(mapping.source(of:))
    return "\(former?.name ?? change.entity).\(loss)"
  }

  /// Where steps come in, which keep the values that the rest of the hint would give up.
  private func hint(_ loss: String) -> String {
    if let skipped = steps.skipped.first(where: { $0.step.discards.contains(loss) }) {
      return "\(skipped) It would have allowed that. "
    }
    if steps.due.isEmpty { return "" }
    return "If a step has taken the values over: discards: [\"\(loss)\"] of that step. "
  }

  /// A property of the same type that came to the entity.
  private func candidate(_ change: ModelChange) -> String? {
    guard let layout = mapping.destination.layout(named: change.entity),
      let old = mapping.source(of: layout),
      let lost = old.properties.first(where: { $0.name == change.property })
    else { return nil }
    return layout.properties.first {
      $0.isStored && mapping.source(of: $0, in: layout) == nil && $0.typeName == lost.typeName
    }?.name
  }
}

/// Counts what a migration would lose; reads only.
struct LossCounts {
  let connection: Connection
  let mapping: ModelMapping
  /// The source's tables, as the file has them.
  let source: StoreSchema

  /// The number of values, links or objects that go with each loss; costs one scan a table.
  func counts(_ changes: [ModelChange]) throws -> [ModelChange: Int] {
    var tables: [String: [(change: ModelChange, sql: String)]] = [:]
    for change in changes where change.loss != nil {
      guard let place = place(of: change) else { continue }
      tables[place.table, default: []].append((change, place.sql))
    }
    var counts: [ModelChange: Int] = [:]
    for (table, losses) in tables {
      let list = losses.map(\.sql).joined(separator: ", ")
      let statement = try Statement(connection.handle, "SELECT \(list) FROM \(table)")
      guard try statement.step() else { continue }
      for (column, loss) in losses.enumerated() {
        counts[loss.change] = Int(statement.integer(Int32(column)))
      }
    }
    return counts
  }

  /// Where what is lost lies, and what counts it.
  private func place(of change: ModelChange) -> (table: String, sql: String)? {
    guard let entity = layout(of: change) else { return nil }
    let table = source.table(of: entity)
    guard let name = change.property else {
      return (table.sqlName, "sum(Z_ENT = \(source.number(of: entity)))")
    }
    guard let index = entity.index(of: name) else { return nil }
    let property = entity.properties[index]
    if let join = property.join { return (source.table(of: join.entity).sqlName, "count(*)") }
    guard let position = source.map(of: entity).properties[index] else { return nil }
    return (
      table.sqlName,
      "sum(\(table.sqlName(position)) NOT NULL AND \(source.includes("Z_ENT", in: entity)))"
    )
  }

  /// The entity of the source that a change is about.
  private func layout(of change: ModelChange) -> EntityLayout? {
    let now = change.property == nil ? nil : mapping.destination.layout(named: change.entity)
    return now.flatMap(mapping.source(of:)) ?? mapping.source.layout(named: change.entity)
  }
}

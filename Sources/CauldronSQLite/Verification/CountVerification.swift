import CauldronModel
import CauldronStore

/// Looks at the derived attributes of a table: whether they are kept, and are right.
struct CountVerification {
  let connection: Connection
  let found: FoundSchema
  let table: TableSchema

  var findings: [StoreFinding] {
    get throws {
      guard let root = found.model.layout(number: table.rootNumber) else { return [] }
      let derived = root.ownProperties.filter { $0.counted != nil && isThere($0) }
      if derived.isEmpty { return [] }
      let present = try TriggerSet(connection: connection).present()
      let counts = derived.compactMap { CountTriggers($0, of: root, in: found.schema) }
      let checks = zip(derived, counts).map { property, counts in
        RowCheck(
          kind: .valueDerived, condition: counts.condition,
          what: "\(root.name).\(property.name) is not the number of objects that it counts",
          entity: root, property: property)
      }
      return counts.flatMap { missing($0, among: present, of: root) }
        + (try RowCheck.run(checks, of: table.sqlName, connection))
    }
  }

  /// Whether all columns are there that are asked for.
  private func isThere(_ property: PropertyLayout) -> Bool {
    guard let root = found.model.layout(number: table.rootNumber), let index = property.counted,
      let destination = root.properties[index].destination
    else { return false }
    let inverse = destination.entity.properties[destination.inverse]
    return has(property, in: root) && has(inverse, in: destination.entity)
  }

  private func has(_ property: PropertyLayout, in entity: EntityLayout) -> Bool {
    guard let table = found.present.first(where: { $0.rootNumber == entity.rootNumber }),
      let column = found.schema.map(of: entity).properties[property.index]
    else { return false }
    return found.has([column], in: table)
  }

  private func missing(
    _ counts: CountTriggers, among present: [String: String], of root: EntityLayout
  ) -> [StoreFinding] {
    counts.all.filter { present[$0.name] != $0.sql }.map { trigger in
      let what = present[trigger.name] == nil ? "has no" : "has another"
      return StoreFinding(
        .triggerMissing,
        "The store \(what) trigger \(trigger.name), which keeps \(root.name).\(counts.attribute).",
        entity: root.name, property: counts.attribute)
    }
  }
}

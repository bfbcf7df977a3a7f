import CauldronModel
import CauldronStore

/// Looks at the derived attributes of a table: whether they are kept, and are right.
struct DerivedVerification {
  let connection: Connection
  let found: FoundSchema
  let table: TableSchema

  var findings: [StoreFinding] {
    get throws {
      guard let root = found.model.layout(number: table.rootNumber), !root.isJoin else { return [] }
      let derived = root.family.flatMap { member in
        member.entity.ownProperties.filter { isThere($0, in: member.entity) }.compactMap {
          property in
          DerivedTriggers(property, of: member.entity, in: found.schema).map {
            (member.entity, property, $0)
          }
        }
      }
      if derived.isEmpty { return [] }
      let present = try TriggerSet(connection: connection).present()
      let checks = derived.compactMap { entity, property, triggers in
        triggers.condition.map { condition in
          RowCheck(
            kind: .valueDerived, condition: condition,
            what: "\(entity.name).\(property.name) is not what it is derived from:"
              + " \(property.derivation ?? "")", entity: entity, property: property)
        }
      }
      return derived.flatMap { missing($0.2, among: present) }
        + (try RowCheck.run(checks, of: table.sqlName, connection))
    }
  }

  /// Whether a property is derived, and all columns are there that are asked for.
  private func isThere(_ property: PropertyLayout, in layout: EntityLayout) -> Bool {
    guard case .attribute(let attribute) = property.description, has(property, in: layout) else {
      return false
    }
    switch layout.derivation(of: attribute) {
    case nil, .other?: return false
    case .now?: return true
    case .own(_, let name)?:
      return layout.index(of: name).map { has(layout.properties[$0], in: layout) } ?? false
    case .count(let name)?: return has(name, of: layout, reading: nil)
    case .sum(let value, let name)?, .value(let value, let name)?:
      return has(name, of: layout, reading: value)
    }
  }

  private func has(_ relationship: String, of layout: EntityLayout, reading value: String?) -> Bool
  {
    guard let index = layout.index(of: relationship),
      let end = layout.properties[index].destination
    else { return false }
    let property = layout.properties[index]
    let isRead =
      value.flatMap(end.entity.index).map { has(end.entity.properties[$0], in: end.entity) } ?? true
    if let join = property.join {
      return isRead && has(join.entity.properties[join.near], in: join.entity)
    }
    if property.kind == .toOne { return isRead && has(property, in: layout) }
    return isRead && has(end.entity.properties[end.inverse], in: end.entity)
  }

  private func has(_ property: PropertyLayout, in entity: EntityLayout) -> Bool {
    guard let table = found.present.first(where: { $0.rootNumber == entity.rootNumber }),
      let column = found.schema.map(of: entity).properties[property.index]
    else { return false }
    return found.has([column], in: table)
  }

  private func missing(
    _ triggers: DerivedTriggers, among present: [String: String]
  ) -> [StoreFinding] {
    let attribute = "\(triggers.entity).\(triggers.attribute)"
    func finding(_ what: String) -> StoreFinding {
      StoreFinding(
        .triggerMissing, "The store \(what), which keeps \(attribute).", entity: triggers.entity,
        property: triggers.attribute)
    }
    if triggers.areTemporary { return [] }
    guard triggers.areCoreData else {
      return triggers.isLacking(among: present) ? [finding("has no trigger")] : []
    }
    return triggers.all.filter { present[$0.name] != $0.sql }.map { trigger in
      let what = present[trigger.name] == nil ? "has no" : "has another"
      return finding("\(what) trigger \(trigger.name)")
    }
  }
}

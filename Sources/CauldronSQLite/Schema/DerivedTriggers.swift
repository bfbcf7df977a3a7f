import CauldronModel

/// The triggers that keep a derived attribute in its column.
///
/// They tell by two functions which rows they have touched. The version of such a row stays as it is.
struct DerivedTriggers: Sendable, Hashable {
  let entity: String
  let attribute: String
  let all: [Trigger]
  /// Computes the values of all rows anew.
  let filling: String
  /// The condition on a row, named `t`, whose value is wrong; nil for `now()`, which cannot be checked.
  let condition: String?
  /// Whether they are written as Core Data writes them; what it writes for other expressions has not been
  /// seen.
  let areCoreData: Bool
  /// Whether they are those of a connection, and not of the file: they call functions that other programs have not,
  /// which could write nothing then.
  let areTemporary: Bool

  /// A trigger and the statement that makes it.
  struct Trigger: Sendable, Hashable {
    let name: String
    let sql: String
  }

  /// Nil for what is not derived, or not computed by this library.
  init?(_ property: PropertyLayout, of layout: EntityLayout, in schema: StoreSchema) {
    guard case .attribute(let description) = property.description,
      let derived = layout.derivation(of: description)
    else { return nil }
    if let count = CountTriggers(property, of: layout, in: schema) {
      self.init(count)
      return
    }
    let column = DerivedColumn(property, of: layout, in: schema)
    switch derived {
    case .count(let name): self.init(column, gathering: name, of: nil)
    case .sum(let attribute, let name): self.init(column, gathering: name, of: attribute)
    case .value(let attribute, let name): self.init(column, copying: attribute, through: name)
    case .own(let form, let name): self.init(column, form: form, of: name)
    case .now: self.init(stamping: column)
    case .other: return nil
    }
  }

  private init(_ count: CountTriggers) {
    (entity, attribute) = (count.entity, count.attribute)
    (all, filling, condition) = (count.all, count.filling, count.condition)
    (areCoreData, areTemporary) = (true, false)
  }

  private init(
    _ column: DerivedColumn, making all: [Trigger], filling: String, condition: String?,
    areTemporary: Bool = false
  ) {
    (entity, attribute) = (column.layout.name, column.property.name)
    (self.all, self.filling, self.condition) = (all, filling, condition)
    (areCoreData, self.areTemporary) = (false, areTemporary)
  }

  /// What is computed from all rows that refer to an object: their number, or the sum of an attribute.
  private init?(_ column: DerivedColumn, gathering name: String, of attribute: String?) {
    guard let rows = column.referrers(through: name) else { return nil }
    var value = "COUNT(*)"
    var changing = rows.reference
    if let attribute {
      guard rows.join == nil, let index = rows.entity.index(of: attribute) else { return nil }
      let summed = column.schema.sqlName(rows.entity.properties[index], of: rows.entity)
      value = "IFNULL(SUM(\(summed)), 0)"
      changing += ", \(summed)"
    }
    let (table, reference) = (rows.table, rows.reference)
    func gathered(_ key: String) -> String {
      "(SELECT \(value) FROM \(table) WHERE \(reference) = \(key))"
    }
    func parameter(_ what: String, on event: String, of keys: String...) -> Trigger {
      column.trigger(
        "PARAMETER_\(what)", on: table, after: event,
        running: keys.map { column.setting(gathered($0), where: "Z_PK = \($0)") })
    }
    self.init(
      column,
      making: [
        parameter("INSERT", on: "INSERT", of: "NEW.\(reference)"),
        parameter(
          "UPDATE", on: "UPDATE OF \(changing)", of: "NEW.\(reference)", "OLD.\(reference)"),
        parameter("DELETE", on: "DELETE", of: "OLD.\(reference)"),
        column.sourceTrigger("INSERT", after: "INSERT", setting: gathered("NEW.Z_PK")),
      ],
      filling: column.filling(with: gathered("\(column.table).Z_PK")),
      condition: column.condition(
        "IFNULL(t.\(column.name), 0) <> " + "(SELECT \(value) FROM \(table) AS c"
          + " WHERE c.\(reference) = t.Z_PK)"))
  }

  /// What is the value of an attribute of the object that a row refers to.
  private init?(_ column: DerivedColumn, copying attribute: String, through name: String) {
    guard let reference = column.layout.index(of: name).map({ column.layout.properties[$0] }),
      let end = reference.destination?.entity, let index = end.index(of: attribute)
    else { return nil }
    let table = column.schema.table(of: end).sqlName
    let key = column.schema.sqlName(reference, of: column.layout)
    let value = column.schema.sqlName(end.properties[index], of: end)
    func read(_ key: String) -> String { "(SELECT \(value) FROM \(table) WHERE Z_PK = \(key))" }
    let copy = [column.setting("NEW.\(value)", where: "\(key) = NEW.Z_PK")]
    self.init(
      column,
      making: [
        column.sourceTrigger("INSERT", after: "INSERT", setting: read("NEW.\(key)")),
        column.sourceTrigger("UPDATE", after: "UPDATE OF \(key)", setting: read("NEW.\(key)")),
        column.trigger(
          "PARAMETER_DELETE", on: table, after: "DELETE",
          running: [column.setting("NULL", where: "\(key) = OLD.Z_PK")]),
        column.trigger("PARAMETER_INSERT", on: table, after: "INSERT", running: copy),
        column.trigger("PARAMETER_UPDATE", on: table, after: "UPDATE OF \(value)", running: copy),
      ],
      filling: column.filling(with: read("\(column.table).\(key)")),
      condition: column.condition(
        "t.\(column.name) IS NOT (SELECT d.\(value) FROM \(table) AS d WHERE d.Z_PK = t.\(key))"))
  }

  /// What is a form of another attribute of the same row.
  private init?(_ column: DerivedColumn, form: Derivation.TextForm, of name: String) {
    guard let index = column.layout.index(of: name) else { return nil }
    let source = column.schema.sqlName(column.layout.properties[index], of: column.layout)
    // The row as it is: the source may be derived, too, and was nil when the row came.
    func value(_ row: String) -> String {
      form == .same
        ? "\(row)\(source)"
        : "\(Connection.textForms)(\(row)\(source), \(SQLIdentifier.literal(form.rawValue)))"
    }
    let isOwn = form != .same
    self.init(
      column,
      making: [
        column.sourceTrigger("INSERT", after: "INSERT", setting: value(""), isTemporary: isOwn),
        column.sourceTrigger(
          "UPDATE", after: "UPDATE OF \(source)", setting: value(""), isTemporary: isOwn),
      ], filling: column.filling(with: value("")),
      condition: column.condition("t.\(column.name) IS NOT \(value("t."))"), areTemporary: isOwn)
  }

  /// When a row was written last: seconds since 2001.
  private init(stamping column: DerivedColumn) {
    let now = "(julianday('now') - 2451910.5) * 86400.0"
    self.init(
      column,
      making: [
        column.sourceTrigger("INSERT", after: "INSERT", setting: now),
        column.sourceTrigger("UPDATE", after: "UPDATE OF Z_OPT", setting: now),
      ], filling: column.filling(with: now), condition: nil)
  }
}

/// The column of a derived attribute, and what writes to it.
private struct DerivedColumn {
  let property: PropertyLayout
  let layout: EntityLayout
  let schema: StoreSchema

  init(_ property: PropertyLayout, of layout: EntityLayout, in schema: StoreSchema) {
    self.property = property
    self.layout = layout
    self.schema = schema
  }

  var table: String { schema.table(of: layout).sqlName }
  var name: String { schema.sqlName(property, of: layout) }

  /// Where the rows are that refer to an object.
  struct Referrers {
    /// The entity of the rows, or at the other end of a join.
    let entity: EntityLayout
    let join: EntityLayout?
    let table: String
    let reference: String
  }

  /// The rows that a to-many relationship is made of.
  func referrers(through name: String) -> Referrers? {
    guard let index = layout.index(of: name), let end = layout.properties[index].destination else {
      return nil
    }
    if let join = layout.properties[index].join {
      let near = join.entity.properties[join.near]
      return Referrers(
        entity: end.entity, join: join.entity, table: schema.table(of: join.entity).sqlName,
        reference: schema.sqlName(near, of: join.entity))
    }
    let inverse = end.entity.properties[end.inverse]
    return Referrers(
      entity: end.entity, join: nil, table: schema.table(of: end.entity).sqlName,
      reference: schema.sqlName(inverse, of: end.entity))
  }

  /// The statements that set the column in some rows, and tell of them.
  func setting(
    _ value: String, where condition: String,
    telling function: String = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
  ) -> String {
    let (literal, attribute) = (
      SQLIdentifier.literal(schema.table(of: layout).name), SQLIdentifier.literal(property.name)
    )
    let rows = "\(condition)\(isOfFamily("Z_ENT", prefix: " AND "))"
    return "UPDATE \(table) SET \(name) = \(value) WHERE \(rows);"
      + " SELECT \(function)(\(literal), Z_ENT, Z_PK, \(attribute), \(name)) FROM \(table)"
      + " WHERE \(rows);"
  }

  /// A trigger at the rows that have the column.
  func sourceTrigger(
    _ what: String, after event: String, setting value: String, isTemporary: Bool = false
  ) -> DerivedTriggers.Trigger {
    let function =
      what == "INSERT"
      ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
      : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    return trigger(
      "SOURCE_\(what)", on: table, after: event,
      running: [setting(value, where: "Z_PK = NEW.Z_PK", telling: function)],
      when: isOfFamily("NEW.Z_ENT", prefix: " WHEN "), isTemporary: isTemporary)
  }

  func trigger(
    _ what: String, on table: String, after event: String, running statements: [String],
    when condition: String = "", isTemporary: Bool = false
  ) -> DerivedTriggers.Trigger {
    let plain = table.filter { $0 != "\"" }
    // A connection's own triggers have names that no others can have, of capitals and small letters either.
    let name =
      isTemporary
      ? "Z_DT_\(schema.number(of: layout))_\(property.index)_\(what)"
      : "Z_DA_\(plain)_\(layout.name)_\(property.name)_\(what)"
    return DerivedTriggers.Trigger(
      name: name,
      sql: "CREATE \(isTemporary ? "TEMP " : "")TRIGGER \(SQLIdentifier.quoted(name))"
        + " AFTER \(event) ON \(table) FOR EACH ROW"
        + "\(condition) BEGIN \(statements.joined(separator: " ")) END")
  }

  func filling(with value: String) -> String {
    "UPDATE \(table) SET \(name) = \(value)\(isOfFamily("Z_ENT", prefix: " WHERE "))"
  }

  func condition(_ isWrong: String) -> String {
    "\(isWrong)\(isOfFamily("t.Z_ENT", prefix: " AND "))"
  }

  /// That a row is of the entity; nothing where all rows of the table are.
  private func isOfFamily(_ number: String, prefix: String) -> String {
    layout.superentity == nil ? "" : prefix + schema.includes(number, in: layout)
  }
}

extension DerivedTriggers {
  /// Whether a trigger of a file keeps the attribute, whatever it does.
  func isKept(by trigger: String) -> Bool {
    trigger.hasPrefix("Z_DA_")
      && ["SOURCE", "PARAMETER"].contains { trigger.contains("_\(entity)_\(attribute)_\($0)_") }
  }

  /// Whether a file with some triggers lacks one.
  /// - Parameter triggers: Their statements, by name.
  func isLacking(among triggers: [String: String]) -> Bool {
    areCoreData
      ? all.contains { triggers[$0.name] == nil } : !triggers.keys.contains(where: isKept)
  }
}

extension StoreSchema {
  /// What keeps the derived attributes of the model, as far as this library computes them.
  var derived: [DerivedTriggers] {
    model.entityLayouts.flatMap { layout in
      layout.ownProperties.compactMap { DerivedTriggers($0, of: layout, in: self) }
    }
  }

  /// How many times the values of all rows have to be computed until those that are derived from one another are right.
  var fillingRounds: Int {
    let chained = model.entityLayouts.flatMap { layout in
      layout.ownProperties.filter { property in
        guard case .attribute(let attribute) = property.description else { return false }
        switch layout.derivation(of: attribute) {
        case .own(_, let name)?:
          return layout.index(of: name).map { layout.properties[$0].derivation != nil } ?? false
        case .value(let name, let reference)?, .sum(let name, let reference)?:
          let end = layout.index(of: reference).flatMap {
            layout.properties[$0].destination?.entity
          }
          return end?.index(of: name).map { end?.properties[$0].derivation != nil } ?? false
        default: return false
        }
      }
    }
    return 1 + min(chained.count, 32)
  }

  /// The derived attributes that this library does not compute.
  var uncomputed: [(entity: EntityLayout, property: PropertyLayout)] {
    model.entityLayouts.flatMap { layout in
      layout.ownProperties.filter {
        $0.derivation != nil && DerivedTriggers($0, of: layout, in: self) == nil
      }.map { (layout, $0) }
    }
  }
}

/// The triggers of a file that keep derived attributes.
struct TriggerSet {
  let connection: Connection

  /// The statements of all triggers, by name.
  func present() throws -> [String: String] {
    let statement = try Statement(
      connection.handle, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    var triggers: [String: String] = [:]
    while try statement.step() { triggers[statement.text(0)] = statement.text(1) }
    return triggers
  }

  /// Makes triggers in the place of those with the same names.
  func make(_ triggers: DerivedTriggers) throws {
    for trigger in triggers.all {
      try drop(trigger.name)
      try connection.execute(trigger.sql)
    }
  }

  func drop(_ name: String) throws {
    try connection.execute("DROP TRIGGER IF EXISTS \(SQLIdentifier.quoted(name))")
  }
}

package import CauldronModel

/// The models of the tests.
package enum TestModels {
  /// Companies, people in three levels of a hierarchy, and their passports.
  package static func people() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [company, person, employee, manager, passport], name: "People")
  }

  private static let company = EntityDescription(
    name: "Company",
    properties: [
      attribute("name", .string), attribute("rating", .double),
      toMany("employees", "Person", inverse: "employer"),
    ])

  private static let person = EntityDescription(
    name: "Person",
    properties: [
      attribute("name", .string), attribute("age", .integer64), attribute("height", .double),
      attribute("balance", .decimal), attribute("email", .string), attribute("isActive", .boolean),
      attribute("birthday", .date), attribute("token", .uuid), attribute("photo", .binary),
      .attribute(AttributeDescription(name: "note", type: .string, isTransient: true)),
      toOne("employer", "Company"), toOne("passport", "Passport", inverse: "holder"),
    ], uniquenessConstraints: [["email"]])

  private static let employee = EntityDescription(
    name: "Employee", superentity: "Person", properties: [attribute("salary", .integer32)])

  private static let manager = EntityDescription(
    name: "Manager", superentity: "Employee", properties: [attribute("level", .integer16)])

  private static let passport = EntityDescription(
    name: "Passport",
    properties: [
      attribute("country", .string), attribute("number", .integer64), toOne("holder", "Person"),
    ], uniquenessConstraints: [["country", "number"]])

  /// An optional attribute.
  package static func attribute(_ name: String, _ type: AttributeType) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: type))
  }

  /// An optional to-one relationship.
  package static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse, isToMany: false))
  }

  /// A to-many relationship.
  package static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse, isToMany: true))
  }
}

extension ManagedObjectModel {
  /// The entity with a name that is surely there.
  package func entity(_ name: String) -> EntityLayout {
    guard let layout = layout(named: name) else { preconditionFailure("no entity \(name)") }
    return layout
  }
}

extension EntityLayout {
  /// The property with a name that is surely there.
  package func property(_ name: String) -> PropertyLayout {
    guard let index = index(of: name) else { preconditionFailure("no property \(name)") }
    return properties[index]
  }

  /// The value of a row's property.
  package func value(_ name: String, in row: RowPointer) -> AttributeScalar {
    let property = property(name)
    return property.storageClass.map { row.scalar(property.index, $0) } ?? .null
  }

  /// The values of all properties of a row that have columns.
  package func values(of row: RowPointer) -> [String: AttributeScalar] {
    let columns = properties.filter(\.hasColumn)
    return Dictionary(uniqueKeysWithValues: columns.map { ($0.name, value($0.name, in: row)) })
  }
}

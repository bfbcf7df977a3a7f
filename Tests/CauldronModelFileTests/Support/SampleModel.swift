import CauldronModel
import CauldronModelFile
import Foundation

/// A model with every kind of attribute and relationship.
enum SampleModel {
  static var stored: StoredModel {
    StoredModel(entities: entities, versionIdentifiers: ["2.0", "final"])
  }

  static var entities: [EntityDescription] { [thing, book, novel, person, empty] }

  private static var thing: EntityDescription {
    EntityDescription(
      name: "Thing", isAbstract: true,
      properties: defaults.map { .attribute($0) } + [
        relationship("owner", "Person", inverse: "things", isToMany: false, isOptional: false)
      ],
      uniquenessConstraints: [["string", "owner"], ["uuid"]],
      indexes: [
        IndexDescription(name: "byText", properties: ["string"]),
        IndexDescription(properties: ["owner", "date"]),
      ])
  }

  /// An attribute of each type with a default, the last one without.
  private static var defaults: [AttributeDescription] {
    let values: [(AttributeType, AttributeScalar)] = [
      (.integer16, .integer(-32_768)), (.integer32, .integer(70_000)), (.integer64, .integer(.min)),
      (.decimal, .text("-1234567890.000123")), (.double, .real(0.1)), (.float, .real(1.5)),
      (.string, .text("Zoë 🙂")), (.boolean, .integer(1)), (.date, .real(-978_307_200.5)),
      (.binary, .blob(Data(0..<200))), (.uuid, .blob(Data(1...16))),
      (.uri, .text("https://example.org/a?b=ü")),
    ]
    return values.map { type, value in
      AttributeDescription(
        name: "\(type)", type: type, isOptional: false, default: .constant(value))
    } + [AttributeDescription(name: "transformable", type: .transformable)]
  }

  private static var book: EntityDescription {
    var title = AttributeDescription(
      name: "title", type: .string, versionHashModifier: "second",
      rules: [.length(1...40)])
    title.originalNames = ["heading", "caption"]
    let cover = AttributeDescription(
      name: "cover", type: .binary, allowsExternalBinaryDataStorage: true,
      preservesValueInHistoryOnDeletion: true)
    let reading = AttributeDescription(
      name: "isBeingRead", type: .boolean, isTransient: true, default: .constant(.integer(0)))
    var book = EntityDescription(
      name: "Book", superentity: "Thing",
      properties: [
        .attribute(title), .attribute(cover), .attribute(reading),
        relationship("readers", "Person", inverse: "books", isToMany: true, isOrdered: true),
        relationship("sequel", "Book", inverse: "prequels", isToMany: false, rule: .deny),
        relationship("prequels", "Book", inverse: "sequel", isToMany: true, rule: .noAction),
      ])
    book.originalNames = ["Volume"]
    return book
  }

  private static var novel: EntityDescription {
    EntityDescription(
      name: "Novel", superentity: "Book", properties: [attribute("pages", .integer32)],
      uniquenessConstraints: [["title", "pages"]])
  }

  private static var person: EntityDescription {
    var things = RelationshipDescription(
      name: "things", destination: "Thing", isToMany: true, deleteRule: .cascade, minCount: 1,
      maxCount: 10_000, versionHashModifier: "third")
    things.originalNames = ["items"]
    return EntityDescription(
      name: "Person",
      properties: [
        // Names its inverse from the other side alone.
        .relationship(things),
        relationship("books", "Book", inverse: "readers", isToMany: true, maxCount: -1),
        attribute("e\u{301}", .string), attribute("name", .string),
      ])
  }

  private static var empty: EntityDescription { EntityDescription(name: "Empty", properties: []) }

  static func attribute(_ name: String, _ type: AttributeType) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: type))
  }

  static func relationship(
    _ name: String, _ destination: String, inverse: String?, isToMany: Bool,
    isOptional: Bool = true, rule: RelationshipDescription.DeleteRule = .nullify,
    maxCount: Int? = nil, isOrdered: Bool = false
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse, isToMany: isToMany,
        isOptional: isOptional, deleteRule: rule, maxCount: maxCount, isOrdered: isOrdered))
  }
}

extension SampleModel {
  /// A model as Xcode writes it.
  static let source = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Folder" representedClassName="Folder" syncable="YES" codeGenerationType="class">
            <attribute name="name" attributeType="String" defaultValueString="New &amp; empty"/>
            <attribute name="order" attributeType="Integer 16" minValueString="0" maxValueString="99" defaultValueString="0"/>
            <attribute name="noteCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="notes.@count"/>
            <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
            <fetchIndex name="byOrder">
                <fetchIndexElement property="order" type="Binary" order="ascending"/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="name"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Note" representedClassName="Note" elementID="Memo" syncable="YES">
            <attribute name="made" attributeType="Date" defaultDateTimeInterval="0"/>
            <attribute name="text" optional="YES" attributeType="String"/>
            <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
            <userInfo>
                <entry key="mappedKeyName" value="memo"/>
            </userInfo>
        </entity>
    </model>
    """
}

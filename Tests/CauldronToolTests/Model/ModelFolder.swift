import Foundation
import TestSupport

/// A directory for models in XML, which goes with it.
struct ModelFolder {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Writes a model as Xcode edits it.
  /// - Parameters:
  ///   - entities: The entities, templates and configurations in XML.
  ///   - name: The name of the `.xcdatamodel`.
  /// - Returns: Its path.
  func write(_ entities: String, named name: String = "Model") throws -> String {
    let url = directory.file("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entities)
      </model>
      """
    try Data(text.utf8).write(to: url.appending(path: "contents"))
    return url.path
  }

  /// Writes a model of one entity, which has an attribute besides.
  func write(entity properties: String, named name: String = "Model") throws -> String {
    try write(
      """
      <entity name="Note">
      <attribute name="title" optional="YES" attributeType="String"/>
      \(properties)
      </entity>
      """, named: name)
  }

  /// People with their pets, and an unused kind of pet.
  static let pets = """
    <entity name="Person">
      <attribute name="name" attributeType="String" minValueString="1" maxValueString="40" defaultValueString="ann"/>
      <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="0"/>
      <relationship name="pets" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" \
        destinationEntity="Pet" inverseName="owner" inverseEntity="Pet"/>
      <fetchedProperty name="namesakes" optional="YES">
        <fetchRequest name="fetchedPropertyFetchRequest" entity="Person" predicateString="name == $FETCH_SOURCE.name"/>
      </fetchedProperty>
      <fetchIndex name="byAge"><fetchIndexElement property="age" type="Binary" order="descending"/></fetchIndex>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Pet" isAbstract="YES" elementID="Animal">
      <attribute name="born" optional="YES" attributeType="Date"/>
      <relationship name="owner" maxCount="1" deletionRule="Nullify" destinationEntity="Person" \
        inverseName="pets" inverseEntity="Person"/>
    </entity>
    <entity name="Cat" parentEntity="Pet">
      <relationship name="toy" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Toy"/>
    </entity>
    <entity name="Toy"/>
    <fetchRequest name="adults" entity="Person" predicateString="age >= $LEAST" fetchLimit="10"/>
    <configuration name="Local"><memberEntity name="Toy"/></configuration>
    """
}

package import CauldronModelXML

/// The classes of a model as Swift source.
///
/// Every entity gets a class, unless the target declares it. Where the target's class derives from one that is not
/// there, `final class Note: _Note`, the properties go into that one.
package struct ModelClasses {
  /// The source.
  package private(set) var text = ""
  /// What the classes do not say of the model.
  package private(set) var remarks: [ModelRemark] = []
  /// The names of the classes that the text declares.
  package private(set) var classNames: [String] = []

  private let model: ClassModel

  /// Names that every object has for properties of its own, and one that Swift has.
  private static let reserved: Set<String> = [
    "Type", "conflicts", "entity", "hasChanges", "hasPersistentChangedValues", "hashValue",
    "isDeleted", "isFault", "isInserted", "isUpdated", "managedObjectContext", "objectID",
  ]

  /// - Parameters:
  ///   - source: The `contents` of an `.xcdatamodel`.
  ///   - head: The first line, as a sentence.
  ///   - declared: The classes that the target has.
  /// - Throws: The line that is wrong.
  package init(
    source: [UInt8], head: String, declared: [DeclaredClass] = []
  ) throws(XMLFailure) {
    let root = try XMLReader.document(source).root
    model = try ClassModel(root, declared: declared)
    var bodies: [String] = []
    for entity in model.entities where entity.isGenerated {
      bodies.append(try text(of: entity))
      classNames.append(entity.isBase ? entity.baseName : entity.className)
    }
    let isPublic = model.entities.contains { $0.isGenerated && $0.access == "public " }
    let head = "// \(head)\n\n"
    let access = isPublic ? "public " : ""
    text =
      head + "\(access)import Cauldron\n"
      + (Self.needsFoundation(bodies) ? "\(access)import Foundation\n" : "")
      + bodies.map { "\n\($0)" }.joined()
  }

  /// Whether a type of Foundation is named.
  private static func needsFoundation(_ bodies: [String]) -> Bool {
    bodies.contains { body in
      ["Date", "Data", "Decimal", "URL", "UUID"].contains { body.contains($0) }
    }
  }

  private mutating func text(of entity: ClassModel.Entity) throws(XMLFailure) -> String {
    let lists = try PropertyLists(entity)
    var lines = lists.text(for: entity.isBase ? entity.baseName : entity.className)
    if !lines.isEmpty { lines.append("") }
    var names: Set<String> = []
    for xml in entity.element.xml.elements {
      guard ["attribute", "relationship"].contains(xml.name) else { continue }
      let element = try ModelElement(xml)
      guard names.insert(element.name).inserted else {
        throw element.failure("\(entity.name) has two properties named \(element.name)")
      }
      guard let line = try line(of: element, in: entity, lists: lists) else { continue }
      lines.append(line)
    }
    let body = lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: "\n"))\n}"
    return "\(try header(of: entity)) \(body)\n"
  }

  /// The property's lines; nil, with a remark, for one that the class cannot have.
  private mutating func line(
    of element: ModelElement, in entity: ClassModel.Entity, lists: PropertyLists
  ) throws(XMLFailure) -> String? {
    if Self.reserved.contains(element.name) {
      remark(
        element, of: entity,
        because: "every object has a member of that name; rename it in the model")
      return nil
    }
    if element.xml.name == "relationship" {
      return try RelationshipClause(element, of: entity, in: model).text(access: entity.access)
    }
    guard let clause = AttributeClause(element, types: model.types) else {
      let type = element.given("composite").map { "composite \($0)" } ?? "type"
      let name = element.given("attributeType").map { " \"\($0)\"" } ?? ""
      remark(
        element, of: entity,
        because: "classes do not know its \(type)\(name); open the store with the model's file")
      return nil
    }
    return try clause.text(lookup: lists.lookup(of: element), access: entity.access)
  }

  private mutating func remark(
    _ element: ModelElement, of entity: ClassModel.Entity, because reason: String
  ) {
    remarks.append(
      ModelRemark(
        line: element.line, text: "\(entity.name).\(element.name) is left out: \(reason)"))
  }

  private func header(of entity: ClassModel.Entity) throws(XMLFailure) -> String {
    var arguments = MacroArguments()
    if !entity.isBase, entity.className != entity.name {
      arguments.add(SwiftText.literal(entity.name))
    }
    arguments.add("isAbstract", if: entity.element.isSet("isAbstract"))
    arguments.add("originalName", of: entity.element.originalName)
    arguments.add("isBase", if: entity.isBase)
    arguments.add("versionHashModifier", of: entity.element.versionHashModifier)
    var notes = entity.element.notes
    notes["access"] = nil
    arguments.add(notes: notes)
    let attribute = arguments.call(model.types.written("Entity"))
    let isOpen = entity.isBase || model.hasSubentities(entity)
    let name = entity.isBase ? entity.baseName : SwiftText.name(entity.className)
    let line =
      "\(entity.access)\(isOpen ? "" : "final ")class \(name): \(try superclass(of: entity))"
    return attribute.count + line.count < 98 ? "\(attribute) \(line)" : "\(attribute)\n\(line)"
  }

  private func superclass(of entity: ClassModel.Entity) throws(XMLFailure) -> String {
    guard let parent = entity.parent else { return model.types.written("ManagedObject") }
    guard let above = model.entity(named: parent) else {
      throw entity.element.failure("\(entity.name) is below \(parent), which is no entity")
    }
    return SwiftText.name(above.className)
  }
}

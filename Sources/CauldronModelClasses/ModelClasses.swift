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
  /// What is wrong with the classes of the target.
  package private(set) var mistakes: [ClassMistake] = []
  /// The names of the classes that the text declares.
  package private(set) var classNames: [String] = []

  private let model: ClassModel

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
    var bodies: [(text: String, visibility: Visibility)] = []
    for entity in model.entities where entity.isGenerated {
      if let mistake = ClassMistake(entity) { mistakes.append(mistake) }
      bodies.append((try text(of: entity), entity.visibility))
      classNames.append(entity.isBase ? entity.baseName : entity.className)
    }
    try checkBases()
    let users = bodies.filter { Self.needsFoundation($0.text) }
    text =
      "// \(head)\n\n" + Self.line("Cauldron", for: bodies.map(\.visibility))
      + Self.line("Foundation", for: users.map(\.visibility))
      + bodies.map { "\n\($0.text)" }.joined()
  }

  /// The import that classes of some visibilities need; nothing where there are none.
  private static func line(_ module: String, for users: [Visibility]) -> String {
    users.max().map { "\($0.memberWord)import \(module)\n" } ?? ""
  }

  /// Whether a type of Foundation is named.
  private static func needsFoundation(_ body: String) -> Bool {
    ["Date", "Data", "Decimal", "URL", "UUID"].contains { body.contains($0) }
  }

  private mutating func text(of entity: ClassModel.Entity) throws(XMLFailure) -> String {
    let lists = try PropertyLists(entity)
    var lines = lists.text(for: entity.isBase ? entity.baseName : entity.className)
    if !lines.isEmpty { lines.append("") }
    var names = inherited(by: entity)
    for xml in entity.element.xml.elements {
      guard ["attribute", "relationship"].contains(xml.name) else { continue }
      let element = try ModelElement(xml)
      guard names.insert(element.name).inserted else {
        throw element.failure("\(entity.name) has or inherits \(element.name) already")
      }
      guard let line = try line(of: element, in: entity, lists: lists) else { continue }
      lines.append(line)
    }
    let body = lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: "\n"))\n}"
    return "\(header(of: entity)) \(body)\n"
  }

  /// The names of the properties of all entities above one.
  private func inherited(by entity: ClassModel.Entity) -> Set<String> {
    var names: Set<String> = []
    var above = entity.parent.flatMap { model.entity(named: $0) }
    while let next = above {
      let kinds = ["attribute", "relationship"]
      let own = next.element.xml.elements.filter { kinds.contains($0.name) }
      names.formUnion(own.compactMap { $0["name"] })
      above = next.parent.flatMap { model.entity(named: $0) }
    }
    return names
  }

  /// The property's lines; nil, with a remark, for one that the class cannot have.
  private mutating func line(
    of element: ModelElement, in entity: ClassModel.Entity, lists: PropertyLists
  ) throws(XMLFailure) -> String? {
    if PropertyNames.reserved.contains(element.name) {
      remark(
        element, of: entity,
        because: "every object has a member of that name; rename it in the model")
      return nil
    }
    if element.xml.name == "relationship" {
      if let inverse = element.given("inverseName"), PropertyNames.reserved.contains(inverse) {
        remark(element, of: entity, because: "its inverse \(inverse) is left out")
        return nil
      }
      return try RelationshipClause(element, of: entity, in: model).text(
        access: entity.visibility.memberWord)
    }
    guard let clause = AttributeClause(element) else {
      let type =
        element.given("composite").map { "composite \($0)" }
        ?? (element.isSet("derived") ? "expression" : "type")
      let kind = element.isSet("derived") ? "derivationExpression" : "attributeType"
      let name = element.given(kind).map { " \"\($0)\"" } ?? ""
      remark(
        element, of: entity,
        because: "classes do not know its \(type)\(name); open the store with the model's file")
      return nil
    }
    return try clause.text(lookup: lists.lookup(of: element), access: entity.visibility.memberWord)
  }

  /// - Throws: Where the superclass of a class of the target is already an entity's.
  private func checkBases() throws(XMLFailure) {
    let names = Set(model.entities.map(\.className))
    for entity in model.entities where entity.isBase && names.contains(entity.baseName) {
      throw entity.element.failure(
        "\(entity.baseName), from which \(entity.className) derives, is the class of an entity")
    }
  }

  private mutating func remark(
    _ element: ModelElement, of entity: ClassModel.Entity, because reason: String
  ) {
    remarks.append(
      ModelRemark(
        line: element.line, text: "\(entity.name).\(element.name) is left out: \(reason)"))
  }

  private func header(of entity: ClassModel.Entity) -> String {
    var arguments = MacroArguments()
    if entity.className != entity.name {
      arguments.add(SwiftText.literal(entity.name))
    }
    arguments.add("isAbstract", if: entity.element.isSet("isAbstract"))
    arguments.add("originalName", of: entity.element.originalName)
    arguments.add("isBase", if: entity.isBase)
    arguments.add("versionHashModifier", of: entity.element.versionHashModifier)
    var notes = entity.element.notes
    notes["access"] = nil
    arguments.add(notes: notes)
    let attribute = arguments.call("Entity")
    let isOpen = entity.isBase || entity.hasSubentities
    let name = entity.isBase ? entity.baseName : SwiftText.name(entity.className)
    let line =
      "\(entity.visibility.word)\(isOpen ? "" : "final ")class \(name): \(superclass(of: entity))"
    return attribute.count + line.count < 98 ? "\(attribute) \(line)" : "\(attribute)\n\(line)"
  }

  private func superclass(of entity: ClassModel.Entity) -> String {
    let above = entity.parent.flatMap { model.entity(named: $0) }
    return above.map { SwiftText.name($0.className) } ?? "ManagedObject"
  }
}

/// A mistake in a class of the target whose superclass is made here.
package struct ClassMistake: Sendable, Hashable {
  package let declared: DeclaredClass
  /// The end of a sentence.
  package let text: String

  /// - Returns: Nil where nothing is wrong.
  init?(_ entity: ClassModel.Entity) {
    guard entity.isBase, let declared = entity.declared else { return nil }
    self.declared = declared
    let mark = entity.className == entity.name ? "@Entity" : "@Entity(\"\(entity.name)\")"
    if !declared.isEntity || (declared.entityName ?? declared.name) != entity.name {
      text = "mark the class \(declared.name) \(mark): it is that of the entity \(entity.name)"
    } else if declared.isPrivate {
      text = "\(declared.name) is private to its file, and the classes of the model refer to it"
    } else {
      return nil
    }
  }
}

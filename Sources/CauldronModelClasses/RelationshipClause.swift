import CauldronModelXML

/// A relationship of a model as a property of its class.
struct RelationshipClause {
  private let element: ModelElement
  private let model: ClassModel
  private let owner: ClassModel.Entity
  let destination: ClassModel.Entity

  init(
    _ element: ModelElement, of owner: ClassModel.Entity, in model: ClassModel
  ) throws(XMLFailure) {
    (self.element, self.owner, self.model) = (element, owner, model)
    guard let name = element.given("destinationEntity") else {
      throw element.failure("\(owner.name).\(element.name) leads to no entity")
    }
    guard let destination = model.entity(named: name) else {
      throw element.failure("\(owner.name).\(element.name) leads to \(name), which is no entity")
    }
    self.destination = destination
  }

  /// The lines of the property.
  func text(access: String) throws(XMLFailure) -> String {
    let least = try element.count("minCount")
    let most = try element.count("maxCount")
    let isToMany = most != 1
    let variable = "\(access)var \(SwiftText.name(element.name)): \(type(isToMany: isToMany))"
    if element.isSet("transient") {
      return SwiftText.declaration(
        "@Transient", before: variable + (isToMany ? " = []" : ""))
    }
    var arguments = MacroArguments()
    let isOptional = element.isSet("optional")
    if !isOptional, !isToMany { arguments.add(".required") }
    arguments.add("inverse", of: inverse)
    arguments.add("deleteRule", of: try deleteRule)
    arguments.add("minCount", of: least == 0 ? nil : "\(least)")
    arguments.add("maxCount", of: most == 0 || most == 1 ? nil : "\(most)")
    arguments.add("isOneWay", if: element.given("inverseName") == nil)
    arguments.add("originalName", of: element.originalName)
    arguments.add("isOptional", of: !isOptional && isToMany ? "false" : nil)
    arguments.add("isOrdered", if: element.isSet("ordered") && !isToMany)
    arguments.add("versionHashModifier", of: element.versionHashModifier)
    arguments.add(notes: element.notes)
    return SwiftText.declaration(arguments.call("Relationship"), before: variable)
  }

  private func type(isToMany: Bool) -> String {
    let name = SwiftText.name(destination.className)
    guard isToMany else { return "\(name)?" }
    if element.isSet("transient") { return "Set<\(name)>" }
    return "\(element.isSet("ordered") ? "OrderedToMany" : "ToMany")<\(name)>"
  }

  /// The relationship that leads back: a key path on one side, nothing on the other, and a text where
  /// the compiler could not follow a path.
  private var inverse: String? {
    guard let name = element.given("inverseName") else { return nil }
    guard destination.isGenerated, !(destination.name == owner.name && name == element.name),
      let back = destination.relationship(named: name),
      back["inverseName"] == element.name, back["destinationEntity"] == owner.name
    else { return SwiftText.literal(name) }
    return leads(over: back)
      ? "\\\(SwiftText.name(destination.className)).\(SwiftText.name(name))" : nil
  }

  /// Whether this side names its inverse: the to-one of a to-one and a to-many, or else the first by name.
  private func leads(over back: XMLElement) -> Bool {
    let (isOne, isBackOne) = (element.xml["maxCount"] == "1", back["maxCount"] == "1")
    if isOne != isBackOne { return isOne }
    return (owner.name, element.name) < (destination.name, back["name"] ?? "")
  }

  private var deleteRule: String? {
    get throws(XMLFailure) {
      switch element.given("deletionRule") {
      case nil, "Nullify": return nil
      case "Cascade": return ".cascade"
      case "Deny": return ".deny"
      case "No Action": return ".noAction"
      case let name?: throw element.failure("\"\(name)\" is no deletion rule")
      }
    }
  }
}

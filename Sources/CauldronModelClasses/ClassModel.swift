import CauldronModelXML

/// A model with the classes that its entities get.
struct ClassModel {
  /// An entity with its class.
  struct Entity {
    let element: ModelElement
    let className: String
    /// The class of the target that the entity has already, if any.
    let declared: DeclaredClass?

    var name: String { element.name }
    var parent: String? { element.given("parentEntity") }

    /// Whether the class gets all its properties here, and no other declaration has any.
    var isGenerated: Bool { declared == nil || isBase }

    /// Whether the class of the target derives from one that is made here.
    var isBase: Bool { declared?.superclass == baseName }

    /// The name of a class that the target's class derives from.
    var baseName: String { "_\(className)" }

    /// What a declaration of the class that is made here says before `class`.
    var access: String {
      if isBase { return declared?.access ?? "" }
      let asked = element.notes["access"] ?? ""
      return ["public", "package"].contains(asked) ? "\(asked) " : ""
    }

    /// The entity's own relationship of a name.
    func relationship(named name: String) -> XMLElement? {
      element.xml.elements("relationship").first { $0["name"] == name }
    }
  }

  let entities: [Entity]
  let types: TypeNames
  private let places: [String: Int]

  /// - Parameters:
  ///   - root: The first element of the model's XML.
  ///   - declared: The classes that the target has.
  /// - Throws: The line that is wrong.
  init(_ root: XMLElement, declared: [DeclaredClass]) throws(XMLFailure) {
    guard root.name == "model" else {
      throw XMLFailure(line: root.line, "the first element is <\(root.name)>, and not <model>")
    }
    let byName = Dictionary(declared.map { ($0.name, $0) }) { first, _ in first }
    var entities: [Entity] = []
    var places: [String: Int] = [:]
    var classes: Set<String> = []
    for xml in root.elements("entity") {
      let element = try ModelElement(xml)
      guard places.updateValue(entities.count, forKey: element.name) == nil else {
        throw element.failure("there are two entities named \(element.name)")
      }
      let name = Self.className(of: element, besides: classes)
      guard classes.insert(name).inserted else {
        throw element.failure("the class \(name) is that of another entity, too")
      }
      entities.append(Entity(element: element, className: name, declared: byName[name]))
    }
    (self.entities, self.places) = (entities, places)
    types = TypeNames(classes: classes.union(declared.map(\.name)))
  }

  func entity(named name: String) -> Entity? { places[name].map { entities[$0] } }

  /// Whether other entities derive from one.
  func hasSubentities(_ entity: Entity) -> Bool {
    entities.contains { $0.parent == entity.name }
  }

  /// The class that the model names, without its module; else the entity's name. Xcode leaves a superentity's class
  /// in copies of it, so that the name of a class which is there already does not count.
  private static func className(
    of element: ModelElement, besides classes: Set<String>
  ) -> String {
    let given = element.given("representedClassName") ?? element.name
    let name = given.split(separator: ".").last.map(String.init) ?? element.name
    let isUsable =
      SwiftText.isName(name) && !["NSManagedObject", "ManagedObject"].contains(name)
      && !classes.contains(name)
    return isUsable ? name : element.name
  }
}

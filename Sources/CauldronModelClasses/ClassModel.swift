import CauldronModelXML

/// A model with the classes that its entities get.
struct ClassModel {
  /// An entity with its class.
  struct Entity {
    let element: ModelElement
    let className: String
    /// The class of the target that the entity has already, if any.
    let declared: DeclaredClass?
    /// How far the class that is made here can be seen.
    fileprivate(set) var visibility: Visibility
    /// Whether other entities derive from it.
    fileprivate(set) var hasSubentities = false

    var name: String { element.name }
    var parent: String? { element.given("parentEntity") }

    /// Whether the class gets all its properties here, and no other declaration has any.
    var isGenerated: Bool { declared == nil || isBase }

    /// Whether the class of the target derives from one that is made here.
    var isBase: Bool { declared?.superclass == baseName }

    /// The name of a class that the target's class derives from.
    var baseName: String { "_\(className)" }

    /// The entity's own relationship of a name.
    func relationship(named name: String) -> XMLElement? {
      element.xml.elements("relationship").first { $0["name"] == name }
    }
  }

  private(set) var entities: [Entity]
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
    let elements = root.elements("entity")
    var names = ClassNames(of: elements)
    for xml in elements {
      let element = try ModelElement(xml)
      guard places.updateValue(entities.count, forKey: element.name) == nil else {
        throw element.failure("there are two entities named \(element.name)")
      }
      let name = try names.name(for: element)
      let asked = Visibility(rawValue: element.notes["access"] ?? "")
      entities.append(
        Entity(
          element: element, className: name, declared: byName[name],
          visibility: byName[name]?.visibility ?? asked ?? .internal))
    }
    (self.entities, self.places) = (entities, places)
    try checkParents()
    raiseVisibility()
  }

  func entity(named name: String) -> Entity? { places[name].map { entities[$0] } }

  /// Notes which entities have others below them.
  /// - Throws: Where an entity is below none, or below itself.
  private mutating func checkParents() throws(XMLFailure) {
    for entity in entities {
      guard let parent = entity.parent else { continue }
      guard let place = places[parent] else {
        throw entity.element.failure("\(entity.name) is below \(parent), which is no entity")
      }
      entities[place].hasSubentities = true
      var steps = 0
      var above = self.entity(named: parent)
      while let next = above, steps <= entities.count {
        if next.name == entity.name {
          throw entity.element.failure("\(entity.name) is below itself")
        }
        above = next.parent.flatMap { self.entity(named: $0) }
        steps += 1
      }
    }
  }

  /// Makes the classes that a class names in its declarations as visible as it is.
  private mutating func raiseVisibility() {
    var isDone = false
    while !isDone {
      isDone = true
      for entity in entities where entity.visibility > .internal {
        let named = entity.element.xml.elements("relationship").compactMap {
          $0["destinationEntity"]
        }
        for name in named + [entity.parent].compactMap({ $0 }) {
          guard let place = places[name], entities[place].visibility < entity.visibility else {
            continue
          }
          entities[place].visibility = entity.visibility == .open ? .public : entity.visibility
          isDone = false
        }
      }
    }
  }
}

/// How far a class can be seen.
package enum Visibility: String, Comparable, Sendable {
  case `internal`
  case `package`
  case `public`
  case open

  /// The words before `class`.
  var word: String { self == .internal ? "" : "\(rawValue) " }

  /// The words before `var`: a class that is open has public members.
  var memberWord: String { self == .open ? "public " : word }

  package static func < (a: Visibility, b: Visibility) -> Bool {
    let order: [Visibility] = [.internal, .package, .public, .open]
    return (order.firstIndex(of: a) ?? 0) < (order.firstIndex(of: b) ?? 0)
  }
}

/// Gives entities the names of their classes.
private struct ClassNames {
  private let entities: Set<String>
  private var taken: Set<String> = []

  /// Names of types that attributes or macros need: a class of such a name would hide them.
  private static let hidden: Set<String> = [
    "Any", "AnyKeyPath", "AnyObject", "Array", "Attribute", "Bool", "Cauldron", "Data", "Date",
    "Decimal", "Dictionary", "Double", "Entity", "EntityDescription", "Float", "Foundation",
    "ImportValue", "IndexDescription", "Int", "Int16", "Int32", "Int64", "ManagedEntity",
    "ManagedObject", "ObjectClass", "ObjectIdentifier", "Optional", "OrderedToMany",
    "PropertyDescription", "Protocol", "Relationship", "Self", "Set", "String", "Swift", "ToMany",
    "Transient", "Type", "UInt", "URL", "UUID",
  ]

  init(of elements: [XMLElement]) { entities = Set(elements.compactMap { $0["name"] }) }

  /// The class that the model names, without its module; else the entity's name. A copy of an
  /// entity keeps its class in Xcode: the name of a different entity does not count. A name that hides a type gets
  /// an ending.
  mutating func name(for element: ModelElement) throws(XMLFailure) -> String {
    let given = element.given("representedClassName") ?? element.name
    var name = given.split(separator: ".").last.map(String.init) ?? element.name
    let isOther = name != element.name && (entities.contains(name) || taken.contains(name))
    if isOther || !SwiftText.isName(name) || name == "NSManagedObject" { name = element.name }
    if Self.hidden.contains(name) { name += "Object" }
    guard taken.insert(name).inserted else {
      throw element.failure("the class \(name) is that of another entity, too")
    }
    return name
  }
}

/// Names that properties cannot have.
package enum PropertyNames {
  /// Names that every object has for properties of its own, and those that macros and Swift have.
  package static let reserved: Set<String> = [
    "Protocol", "Self", "Type", "_", "_Access", "_Properties", "_base", "_count", "conflicts",
    "entity", "hasChanges", "hasPersistentChangedValues", "hashValue", "isDeleted", "isFault",
    "isInserted", "isUpdated", "managedObjectContext", "objectID",
  ]
}

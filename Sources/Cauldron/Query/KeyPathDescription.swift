package import CauldronGraph
import CauldronModel
import CauldronQuery
import Foundation

/// Tells the steps of a key path that leads beyond a property.
///
/// A computed step prints as an address and a type on Linux. The names of the properties are known
/// from the macros; those of other types are compared with the few that people use.
struct KeyPathDescription {
  /// The steps with points between them; `…` for a step whose name cannot be known.
  let text: String

  init(_ path: AnyKeyPath, from type: ManagedObject.Type) {
    let table = KeyPathTable.table(for: type)
    for (property, name) in table {
      let value = Swift.type(of: property).valueType
      let steps = (value as? any KeyPathSteps.Type)?.steps ?? [:]
      for (step, stepName) in steps where property.appending(path: step) == path {
        text = "\(name).\(stepName)"
        return
      }
    }
    let types = Self.types("\(path)")
    // A single step that is none of the properties is none of those of its type, either.
    text = types.count == 1 ? "… (\(types[0]))" : Self.text(of: types, in: table, from: type)
  }

  /// Names the steps by their types, where only one property is of the type.
  private static func text(
    of types: [String], in table: [AnyKeyPath: String], from type: ManagedObject.Type
  ) -> String {
    guard let first = types.first else { return "…" }
    let candidates = table.filter { "\(Swift.type(of: $0.key).valueType)" == first }
    guard candidates.count == 1, let (property, name) = candidates.first else {
      return "… (\(first))"
    }
    let rest = Array(types.dropFirst())
    guard !rest.isEmpty else { return name }
    guard
      let destination = (Swift.type(of: property).valueType as? any ToOneStep.Type)?.destination
    else { return "\(name).… (\(rest.joined(separator: ", ")))" }
    return "\(name).\(text(of: rest, in: KeyPathTable.table(for: destination), from: destination))"
  }

  /// The types of the computed steps in a description such as
  /// `\Person.<computed 0x00 (Optional<Company>)>?.<computed 0x00 (String)>?`.
  private static func types(_ description: String) -> [String] {
    description.components(separatedBy: "<computed ").dropFirst().compactMap { step in
      guard let start = step.firstIndex(of: "("), let end = step.range(of: ")>")?.lowerBound else {
        return nil
      }
      return String(step[step.index(after: start)..<end])
    }
  }
}

/// A type with properties that people try to compare.
protocol KeyPathSteps {
  static var steps: [AnyKeyPath: String] { get }
}

extension String: KeyPathSteps {
  static var steps: [AnyKeyPath: String] {
    [\String.count: "count", \String.isEmpty: "isEmpty"]
  }
}

extension Data: KeyPathSteps {
  static var steps: [AnyKeyPath: String] {
    [\Data.count: "count", \Data.isEmpty: "isEmpty"]
  }
}

extension ToMany: KeyPathSteps {
  static var steps: [AnyKeyPath: String] {
    [\ToMany.count: "count", \ToMany.isEmpty: "isEmpty"]
  }
}

extension OrderedToMany: KeyPathSteps {
  static var steps: [AnyKeyPath: String] {
    [\OrderedToMany.count: "count", \OrderedToMany.isEmpty: "isEmpty"]
  }
}

/// What a to-one relationship's value is.
protocol ToOneStep {
  static var destination: ManagedObject.Type { get }
}

extension Optional: ToOneStep where Wrapped: ManagedObject {
  static var destination: ManagedObject.Type { Wrapped.self }
}

/// Turns key paths into property names.
///
/// A computed key path prints as an address on Linux, so the macros give each class a table.
package enum KeyPathTable {
  private static let names = Locked<[ObjectIdentifier: [AnyKeyPath: String]]>([:])
  private static let indices = Locked<[ObjectIdentifier: [AnyKeyPath: Int]]>([:])

  /// The name of the property at the end of a key path. A path to anything else gets a description, which
  /// names no property: the fetch refuses it.
  static func name<Object: ManagedEntity>(of path: PartialKeyPath<Object>) -> String {
    let table = table(for: Object.self)
    return table[path] ?? KeyPathDescription(path, from: Object.self).text
  }

  /// The path of one step that a key path leads to; see `name(of:)`.
  static func path<Object: ManagedEntity>(of path: PartialKeyPath<Object>) -> PropertyPath {
    PropertyPath(steps: [name(of: path)])
  }

  /// The index of the property that a key path leads to; nil for a path that leads elsewhere.
  static func index<Object: ManagedEntity>(of path: PartialKeyPath<Object>) -> Int? {
    let id = ObjectIdentifier(Object.self)
    if let table = indices.withLock({ $0[id] }) { return table[path] }
    let table = Object._keyPathTable()
    indices.withLock { $0[id] = table }
    return table[path]
  }

  /// The names of a class's properties by key path.
  package static func table(for type: ManagedObject.Type) -> [AnyKeyPath: String] {
    let id = ObjectIdentifier(type)
    if let table = names.withLock({ $0[id] }) { return table }
    let properties = propertyNames(type)
    let table = type._keyPathTable().mapValues { properties[$0] }
    names.withLock { $0[id] = table }
    return table
  }

  /// The names of a class's properties by index, inherited ones first.
  ///
  /// A plain class has the description of the entity above it, and an entity that of a base class above it.
  private static func propertyNames(_ type: ManagedObject.Type) -> [String] {
    let own = type._describeEntity()
    var parent = superclass(of: type)
    while let described = parent?._describeEntity(), described.isBase || described.name == own.name
    {
      parent = parent.flatMap(superclass)
    }
    return (parent.map(propertyNames) ?? []) + own.properties.map(\.name)
  }

  private static func superclass(of type: ManagedObject.Type) -> ManagedObject.Type? {
    Swift._getSuperclass(type) as? ManagedObject.Type
  }
}

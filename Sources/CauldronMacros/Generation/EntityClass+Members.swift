import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityClass {
  /// The members that `@Entity` adds to the class.
  var members: [DeclSyntax] {
    [
      propertiesEnum, entityName, description, keyPathTable, transientDefault, lifeCycle,
      importedProperties, importProperty, accessors, record,
    ]
    .compactMap { (member: String?) in member.map { "\(raw: $0)" } }
  }

  private var entityName: String {
    "\(overrideAccess)override class var _entityName: String { \(nameLiteral) }"
  }

  private var description: String {
    let list = properties.map { "\n      \($0.descriptionExpression)," }.joined()
    let array = properties.isEmpty ? "[]" : "[\(list)\n    ]"
    return """
      \(overrideAccess)override class func _describeEntity() -> EntityDescription {
        EntityDescription(
          name: \(nameLiteral), superentity: \(superclass.map { "\($0)._superentityName" } ?? "nil"), \
      isAbstract: \(isAbstract),
          properties: \(array),\(constraints)\(indexes)
          managedObjectClass: ObjectClass(\(identifier).self))\(migration)
      }
      """
  }

  private var migration: String {
    let names =
      originalNames.isEmpty ? [] : ["originalName: " + originalNames.joined(separator: ", ")]
    let parts = names + (discards.map { ["discards: \($0)"] } ?? [])
    let key = importKey.map { "._importing(by: \($0))" } ?? ""
    return (parts.isEmpty ? "" : "._migrating(\(parts.joined(separator: ", ")))") + key
      + inheritance
  }

  /// What models say, and what a base class above gives.
  private var inheritance: String {
    let notes = modelling.isEmpty ? "" : "._modelled(\(modelling.joined(separator: ", ")))"
    let above = superclass.map { "._inheriting(\($0)._describeEntity())" } ?? ""
    return notes + above + (isBase ? "._asBase()" : "")
  }

  private var constraints: String {
    let lists = lists.filter { $0.kind == .unique }.map(\.literal)
    if lists.isEmpty { return "" }
    return "\n    uniquenessConstraints: [\(lists.joined(separator: ", "))],"
  }

  private var indexes: String {
    let lists = lists.filter { $0.kind == .index }
    if lists.isEmpty { return "" }
    let indexes = lists.map { "IndexDescription(properties: \($0.literal))" }
    return "\n    indexes: [\(indexes.joined(separator: ", "))],"
  }

  private var keyPathTable: String {
    """
    \(overrideAccess)override class func _keyPathTable() -> [AnyKeyPath: Int] {
      _Properties._keyPaths(\(identifier).self)
    }
    """
  }

  /// Gives what transient properties read as before they are set.
  private var transientDefault: String? {
    let cases = properties.compactMap { property in
      property.firstTransientValue.map { value in
        "    case _Properties.\(property.identifier): return \(value)\n"
      }
    }
    if cases.isEmpty { return nil }
    return """
      \(overrideAccess)override class func _transientDefault(_ index: Int) -> Any? {
        switch index {
      \(cases.joined())    default: return super._transientDefault(index)
        }
      }
      """
  }

  /// Tells which hooks are to be called; what a superclass overrides is inherited.
  private var lifeCycle: String? {
    if hooks.isEmpty, superclass != nil { return nil }
    let list = "[\(hooks.map { ".\($0)" }.joined(separator: ", "))]"
    let value = superclass == nil ? list : "super._hooks.union(\(list))"
    return "\(overrideAccess)override class var _hooks: _ObjectHooks { \(value) }"
  }

  /// Names the accessors that tell objects when their rows are read, where the class wants to know; of a base class,
  /// whether the classes below it want to know is not seen from here.
  private var accessors: String? {
    isBase || hooks.contains("awakeFromFetch") ? "\(access)typealias _Access = _AwakingAccess" : nil
  }

  /// The record that tells the library of the class. The linker gathers the records of the program;
  /// a function pointer is a constant there, a class's metadata need not be.
  private var record: String? {
    if isBase { return nil }
    return """
      @section("cauldron_entities") @used
      private static let _entityRecord: @convention(c) () -> UInt = {
        UInt(bitPattern: ObjectIdentifier(\(identifier).self))
      }
      """
  }
}

extension EntityClass {
  /// The enumeration of property indices: literals where the class derives from `ManagedObject`, so
  /// that they are constants in debug builds too, else counted on from the superclass's.
  var propertiesEnum: String {
    let lines = indices + keyPathFunction
    return "\(access)enum _Properties {\n" + lines.map { "  \($0)\n" }.joined() + "}"
  }

  private var indices: [String] {
    let base = superclass.map { [index("_base", of: "\($0)._Properties._count")] } ?? []
    let offset = superclass == nil ? "" : "_base + "
    let own = properties.enumerated().map { index($1.identifier, of: "\(offset)\($0)") }
    return base + own + [index("_count", of: "\(offset)\(properties.count)")]
  }

  private func index(_ name: String, of value: String) -> String {
    "\(isPublic ? "@inlinable " : "")\(access)static var \(name): Int { \(value) }"
  }

  /// The table from key path to index. `\Dog.name` and `\Animal.name` are different key paths, so
  /// the function is generic over the class that they start from, and calls up.
  private var keyPathFunction: [String] {
    let inherited = superclass.map { "\($0)._Properties._keyPaths(root)" } ?? "[:]"
    let signature = "_keyPaths<Root: \(identifier)>(_ root: Root.Type) -> [AnyKeyPath: Int]"
    let header = "\(access)static func \(signature) {"
    guard !properties.isEmpty else { return [header, "  \(inherited)", "}"] }
    return [header, "  var table: [AnyKeyPath: Int] = \(inherited)"]
      + properties.map { "  table[\\Root.\($0.identifier)] = Self.\($0.identifier)" }
      + ["  return table", "}"]
  }
}

extension EntityClass {
  /// Tells which properties have functions of their own.
  var importedProperties: String? {
    if handled.isEmpty { return nil }
    let list = Set(handled.map(\.property)).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    let value = superclass == nil ? "[\(list)]" : "super._importedProperties.union([\(list)])"
    return "\(overrideAccess)override class var _importedProperties: Set<String> { \(value) }"
  }

  /// Calls them.
  var importProperty: String? {
    if handled.isEmpty { return nil }
    let names = Set(handled.map(\.property)).sorted()
    let cases = names.map { name in
      "  case \"\(name)\":\n" + lines(name).map { "    \($0)\n" }.joined()
    }.joined()
    return """
      \(overrideAccess)override func _importProperty(_ name: String, _ value: ImportValue) throws -> Bool {
        switch name {
      \(cases)  default: return try super._importProperty(name, value)
        }
      }
      """
  }

  /// An inherited property is not seen from here: who means one takes the source.
  private var handled: [ImportFunction] {
    imports.filter { function in
      guard let own = properties.first(where: { $0.name == function.property }) else {
        return superclass != nil && function.takesSource
      }
      return function.takesSource || !own.isRelationship
    }
  }

  private func lines(_ name: String) -> [String] {
    let functions = handled.filter { $0.property == name }
    // Whether at all comes before how.
    let ordered = functions.filter(\.asks) + functions.filter { !$0.asks }
    var lines = ordered.enumerated().flatMap { line(for: $0.element, number: $0.offset) }
    if lines.last?.hasPrefix("return") != true { lines.append("return false") }
    return lines
  }

  /// What is no value of a function's type is none of its business.
  private func line(for function: ImportFunction, number: Int) -> [String] {
    let attempt = function.canThrow ? "try " : ""
    let argument = function.takesSource ? "value.source" : "value\(number)"
    let reading = "let \(argument) = value._value(as: (\(function.type)).self)"
    let call = "\(attempt)\(function.name)(\(argument))"
    if function.asks || function.returnsBool {
      let test = function.asks ? "\(attempt)!\(function.name)(\(argument))" : call
      return ["if \(function.takesSource ? "" : "\(reading), ")\(test) { return true }"]
    }
    if function.takesSource { return [call, "return true"] }
    return ["if \(reading) {", "  \(call)", "  return true", "}"]
  }
}

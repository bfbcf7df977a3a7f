import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityClass {
  /// The members that `@Entity` adds to the class.
  var members: [DeclSyntax] {
    [
      propertiesEnum, entityName, description, keyPathTable, lifeCycle, importedProperties,
      importProperty, accessors, record,
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
          name: \(nameLiteral), superentity: \(superclass.map { "\($0)._entityName" } ?? "nil"), \
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

  /// Tells which hooks are to be called; what a superclass overrides is inherited.
  private var lifeCycle: String? {
    if hooks.isEmpty, superclass != nil { return nil }
    let list = "[\(hooks.map { ".\($0)" }.joined(separator: ", "))]"
    let value = superclass == nil ? list : "super._hooks.union(\(list))"
    return "\(overrideAccess)override class var _hooks: _ObjectHooks { \(value) }"
  }

  /// Names the accessors that tell objects when their rows are read, where the class wants to know.
  private var accessors: String? {
    hooks.contains("awakeFromFetch") ? "\(access)typealias _Access = _AwakingAccess" : nil
  }

  /// The record that tells the library of the class. The linker gathers the records of the program;
  /// a function pointer is a constant there, a class's metadata need not be.
  private var record: String {
    """
    @section("cauldron_entities") @used
    private static let _entityRecord: @convention(c) () -> UInt = {
      UInt(bitPattern: ObjectIdentifier(\(identifier).self))
    }
    """
  }
}

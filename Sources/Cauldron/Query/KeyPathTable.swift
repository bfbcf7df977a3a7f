import CauldronGraph
import CauldronModel

/// Turns key paths into property names.
///
/// A computed key path prints as an address on Linux, so the macros give each class a table.
enum KeyPathTable {
  private static let names = Locked<[ObjectIdentifier: [AnyKeyPath: String]]>([:])

  /// The name of the property that a key path leads to; anything else traps.
  static func name<Object: ManagedEntity>(of path: PartialKeyPath<Object>) -> String {
    let table = table(for: Object.self)
    if let name = table[path] { return name }
    trap(
      "A condition or order on \(Object._entityName) uses a key path that is not a property of the"
        + " entity; use a single attribute or relationship.")
  }

  private static func table<Object: ManagedEntity>(for type: Object.Type) -> [AnyKeyPath: String] {
    let id = ObjectIdentifier(type)
    if let table = names.withLock({ $0[id] }) { return table }
    let properties = propertyNames(type)
    let table = type._keyPathTable().mapValues { properties[$0] }
    names.withLock { $0[id] = table }
    return table
  }

  /// The names of a class's properties by index, inherited ones first.
  private static func propertyNames(_ type: ManagedObject.Type) -> [String] {
    let inherited = (Swift._getSuperclass(type) as? ManagedObject.Type).map { parent in
      parent == ManagedObject.self ? [] : propertyNames(parent)
    }
    return (inherited ?? []) + type._describeEntity().properties.map(\.name)
  }
}

package import CauldronGraph
import CauldronModel

/// Turns key paths into property names.
///
/// A computed key path prints as an address on Linux, so the macros give each class a table.
package enum KeyPathTable {
  private static let names = Locked<[ObjectIdentifier: [AnyKeyPath: String]]>([:])
  private static let indices = Locked<[ObjectIdentifier: [AnyKeyPath: Int]]>([:])

  /// The name of the property that a key path leads to. For a path that leads elsewhere it is a
  /// name that no property has, and that tells the path as well as it can be told; so it is the
  /// fetch that refuses it.
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
  private static func propertyNames(_ type: ManagedObject.Type) -> [String] {
    let inherited = (Swift._getSuperclass(type) as? ManagedObject.Type).map { parent in
      parent == ManagedObject.self ? [] : propertyNames(parent)
    }
    return (inherited ?? []) + type._describeEntity().properties.map(\.name)
  }
}

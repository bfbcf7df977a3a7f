extension EntityClass {
  /// The enumeration of property indices: literals where the class derives from `ManagedObject`, so
  /// that they are constants in debug builds too, else counted on from the superclass's.
  var propertiesEnum: String {
    let lines = indices + keyPathFunction
    return "\(access)enum _Properties {\n" + lines.map { "  \($0)\n" }.joined() + "}"
  }

  private var indices: [String] {
    let base = superclass.map { [index("_base", "\($0)._Properties._count")] } ?? []
    let offset = superclass == nil ? "" : "_base + "
    let own = properties.enumerated().map { index($1.identifier, "\(offset)\($0)") }
    return base + own + [index("_count", "\(offset)\(properties.count)")]
  }

  private func index(_ name: String, _ value: String) -> String {
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

import CauldronModelXML

/// What is unique in an entity, and what its indexes are of.
///
/// A list of one attribute of the class stands at the attribute; `#Unique` and `#Index` have all other ones.
struct PropertyLists {
  private var unique: [[String]] = []
  private var indexes: [[String]] = []
  /// The attributes of the class at which a list can stand.
  private let plain: Set<String>

  init(_ entity: ClassModel.Entity) throws(XMLFailure) {
    let xml = entity.element.xml
    plain = Set(
      xml.elements("attribute").filter(Self.takesLookup).compactMap { $0["name"] })
    for constraint in xml.elements("uniquenessConstraints")
      .flatMap({ $0.elements("uniquenessConstraint") })
    {
      add(constraint.elements("constraint").compactMap { $0["value"] }, to: &unique)
    }
    for index in xml.elements("fetchIndex") where index["partialIndexPredicate"] == nil {
      let elements = index.elements("fetchIndexElement")
      guard elements.allSatisfy({ $0["type"] == "Binary" }) else { continue }
      add(elements.compactMap { $0["property"] }, to: &indexes)
    }
    for attribute in xml.elements("attribute") where attribute["indexed"] == "YES" {
      add([attribute["name"] ?? ""], to: &indexes)
    }
    let unlisted = Set(xml.elements.filter { !Self.isListed($0) }.compactMap { $0["name"] })
    let leftOut = unlisted.union(PropertyNames.reserved)
    unique.removeAll { !leftOut.isDisjoint(with: $0) }
    indexes.removeAll { !leftOut.isDisjoint(with: $0) }
  }

  private func add(_ names: [String], to lists: inout [[String]]) {
    let isGood = !names.isEmpty && names.allSatisfy(SwiftText.isName)
    if isGood, Set(names).count == names.count, !lists.contains(names) { lists.append(names) }
  }

  /// Whether the macro of an attribute may say that it is unique or has an index.
  private static func takesLookup(_ xml: XMLElement) -> Bool {
    xml["transient"] != "YES" && xml["derived"] != "YES" && xml["attributeType"] != "Transformable"
      && xml["composite"] == nil
  }

  /// Whether a property of the class can be in a list.
  private static func isListed(_ xml: XMLElement) -> Bool {
    if xml["transient"] == "YES" { return false }
    switch xml.name {
    case "attribute": return (try? ModelElement(xml)).flatMap { AttributeClause($0) } != nil
    case "relationship": return xml["maxCount"] == "1"
    default: return true
    }
  }

  /// `.unique` or `.indexed`, where the attribute is that by itself.
  func lookup(of element: ModelElement) -> String? {
    guard plain.contains(element.name) else { return nil }
    if unique.contains([element.name]) { return ".unique" }
    return indexes.contains([element.name]) ? ".indexed" : nil
  }

  /// The lines of the lists that do not stand at an attribute.
  func text(for className: String) -> [String] {
    let alone = { (list: [String]) in list.count == 1 && plain.contains(list[0]) }
    let uniques = unique.filter { !alone($0) }
    let rest = indexes.filter { !alone($0) || unique.contains($0) }
    return line("Unique", in: className, of: uniques) + line("Index", in: className, of: rest)
  }

  private func line(_ macro: String, in className: String, of lists: [[String]]) -> [String] {
    if lists.isEmpty { return [] }
    let paths = lists.map { list in
      "[\(list.map { "\\.\(SwiftText.name($0))" }.joined(separator: ", "))]"
    }
    let head = "  #\(macro)<\(SwiftText.name(className))>("
    let line = "\(head)\(paths.joined(separator: ", ")))"
    return line.count <= 100
      ? [line] : [head, paths.map { "    \($0)" }.joined(separator: ",\n") + ")"]
  }
}

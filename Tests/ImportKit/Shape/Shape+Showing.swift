import CauldronModel

extension Shape.Attribute {
  /// In one line.
  var shown: String {
    let mark = isRequired ? "!" : ""
    let value = fallback == .null ? "" : " = \(fallback)"
    let from = mapping.from.isEmpty ? "" : " from \(mapping.from)"
    let formats = mapping.dateFormats.isEmpty ? "" : " \(mapping.dateFormats)"
    return "\(name): \(type)\(mark)\(value)\(from) absent \(mapping.absent) null \(mapping.null)"
      + formats + (mapping.isExcluded ? " excluded" : "")
  }
}

extension Shape.Relationship {
  /// In one line.
  var shown: String {
    let kind = isToMany ? (isOrdered ? "ordered" : "many") : "one"
    let from = mapping.from.isEmpty ? "" : " from \(mapping.from)"
    let sub = mapping.subentity.map { " sub \($0)" } ?? ""
    let match = mapping.match.map { " match \($0)" } ?? ""
    return "\(name): \(kind) \(destination) <- \(inverse)\(from)\(sub)\(match) \(mapping.members)"
      + " unknown \(mapping.unknown) absent \(mapping.absent) null \(mapping.null)"
      + (mapping.isExcluded ? " excluded" : "")
  }
}

import CauldronModel
import CauldronStore

extension RandomModel: CustomStringConvertible {
  /// A line for each entity.
  var description: String {
    "model:\n" + entities.map { "  \(line($0))" }.joined(separator: "\n")
  }

  private func line(_ entity: EntityDescription) -> String {
    var line = entity.name
    if let parent = entity.superentity { line += " below \(parent)" }
    if entity.isAbstract { line += ", abstract" }
    if !entity.originalNames.isEmpty { line += " from \(entity.originalNames)" }
    if !entity.uniquenessConstraints.isEmpty { line += ", unique" }
    if !entity.discards.isEmpty { line += ", discards \(entity.discards)" }
    return line + ": " + entity.properties.map(word).joined(separator: ", ")
  }

  private func word(_ property: PropertyDescription) -> String {
    let former = property.allNames.dropFirst()
    let from = former.isEmpty ? "" : " from \(Array(former))"
    switch property {
    case .attribute(let attribute):
      let mark = attribute.isOptional ? "?" : ""
      return "\(attribute.name): \(attribute.type.swiftName)\(mark)\(from)"
    case .relationship(let found):
      let type = found.isToMany ? "[\(found.destination)]" : found.destination
      return "\(found.name): \(type)\(found.isOrdered ? " in order" : "")\(from)"
    }
  }
}

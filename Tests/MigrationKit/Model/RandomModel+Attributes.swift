import CauldronModel
import CauldronStore

extension RandomModel {
  mutating func addAttribute() {
    let index = pick(entities.count)
    let types: [AttributeType] = [.integer16, .integer32, .double, .string, .boolean, .date]
    let type = pick(types) ?? .string
    var attribute = AttributeDescription(name: name("attr"), type: type)
    if pick(2) == 0 { attribute.defaultValue = .constant(scalar(type)) }
    attribute.isOptional = attribute.constant == nil || pick(2) == 0
    entities[index].properties.append(.attribute(attribute))
    touched.insert(attribute.name)
    for key in keys(entities[index].name) {
      objects[key]?.values[attribute.name] = attribute.constant
    }
  }

  /// An attribute that was not changed yet, but for `uid`, as one that is changed now.
  private mutating func takeAttribute() -> (entity: Int, place: Int, AttributeDescription)? {
    let index = pick(entities.count)
    var found: [(Int, AttributeDescription)] = []
    for (place, property) in entities[index].properties.enumerated() {
      guard case .attribute(let attribute) = property, attribute.name != "uid" else { continue }
      if touched.isDisjoint(with: property.allNames) { found.append((place, attribute)) }
    }
    guard let (place, attribute) = pick(found) else { return nil }
    touched.insert(attribute.name)
    return (index, place, attribute)
  }

  mutating func renameAttribute() {
    guard let (entity, place, found) = takeAttribute() else { return }
    var attribute = found
    attribute.name = name("attr")
    attribute.originalNames = [found.name] + found.originalNames
    entities[entity].properties[place] = .attribute(attribute)
    for key in keys(entities[entity].name) {
      let value = objects[key]?.values.removeValue(forKey: found.name)
      objects[key]?.values[attribute.name] = value
    }
  }

  mutating func removeAttribute() {
    guard let (entity, place, attribute) = takeAttribute() else { return }
    entities[entity].properties.remove(at: place)
    for name in PropertyDescription.attribute(attribute).allNames {
      entities[entity].discards.append("\(name): \(attribute.type.swiftName)")
    }
    for key in keys(entities[entity].name) { objects[key]?.values[attribute.name] = nil }
  }

  mutating func widen() {
    guard let (entity, place, found) = takeAttribute() else { return }
    var attribute = found
    switch attribute.type {
    case .integer16: attribute.type = pick([.integer32, .integer64]) ?? .integer64
    case .integer32: attribute.type = .integer64
    case .boolean: attribute.type = .integer16
    default: return
    }
    entities[entity].properties[place] = .attribute(attribute)
  }

  mutating func require() {
    guard let (entity, place, found) = takeAttribute() else { return }
    var attribute = found
    attribute.isOptional.toggle()
    if !attribute.isOptional, attribute.constant == nil {
      attribute.defaultValue = .constant(scalar(attribute.type))
    }
    entities[entity].properties[place] = .attribute(attribute)
    guard !attribute.isOptional else { return }
    for key in keys(entities[entity].name) where objects[key]?.values[attribute.name] == nil {
      objects[key]?.values[attribute.name] = attribute.constant
    }
  }

  mutating func makeUnique() {
    let roots = entities.indices.filter {
      entities[$0].superentity == nil && entities[$0].uniquenessConstraints.isEmpty
    }
    if let index = pick(roots) { entities[index].uniquenessConstraints = [["uid"]] }
  }

  mutating func scalar(_ type: AttributeType) -> AttributeScalar {
    switch type {
    case .double, .date: .real(Double(pick(1_000)) / 4)
    case .string: .text(["", "a", "é", "long \(pick(100))"][pick(4)])
    case .boolean: .integer(Int64(pick(2)))
    default: .integer(Int64(pick(60_000) - 30_000))
    }
  }
}

extension AttributeDescription {
  var constant: AttributeScalar? {
    if case .constant(let scalar) = defaultValue { scalar } else { nil }
  }
}

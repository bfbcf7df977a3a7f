import CauldronModel

/// Objects as dictionaries: the rules of relationships are said here once more.
struct World: Sendable {
  struct Object: Sendable {
    let entity: String
    var values: [String: AttributeScalar] = [:]
    /// What the relationships lead to, in order.
    var links: [String: [Int]] = [:]
  }

  let shape: Shape
  private(set) var objects: [Int: Object] = [:]
  private var count = 0

  init(_ shape: Shape) { self.shape = shape }

  /// The objects' numbers, the oldest first.
  var ids: [Int] { objects.keys.sorted() }

  mutating func insert(_ entity: String) -> Int {
    count += 1
    var object = Object(entity: entity)
    for attribute in shape.attributes(entity) where attribute.fallback != .null {
      object.values[attribute.name] = attribute.fallback
    }
    objects[count] = object
    return count
  }

  mutating func remove(_ id: Int) {
    guard let object = objects[id] else { return }
    for relationship in shape.relationships(object.entity) {
      for other in targets(id, relationship) { unlink(id, relationship, other) }
    }
    objects[id] = nil
  }

  func value(_ id: Int, _ name: String) -> AttributeScalar {
    objects[id]?.values[name] ?? .null
  }

  mutating func set(_ id: Int, _ name: String, _ value: AttributeScalar) {
    objects[id]?.values[name] = value
  }

  func targets(_ id: Int, _ relationship: Shape.Relationship) -> [Int] {
    objects[id]?.links[relationship.name] ?? []
  }

  /// Makes a relationship lead to an object; it is the last of several.
  mutating func link(_ id: Int, _ relationship: Shape.Relationship, _ other: Int) {
    if targets(id, relationship).contains(other) { return }
    guard let entity = objects[other]?.entity,
      let inverse = shape.relationship(relationship.inverse, entity)
    else { return }
    if !relationship.isToMany {
      for former in targets(id, relationship) { unlink(id, relationship, former) }
    }
    if !relationship.isInverseToMany {
      for former in targets(other, inverse) { unlink(other, inverse, former) }
    }
    objects[id]?.links[relationship.name, default: []].append(other)
    objects[other]?.links[relationship.inverse, default: []].append(id)
  }

  mutating func unlink(_ id: Int, _ relationship: Shape.Relationship, _ other: Int) {
    objects[id]?.links[relationship.name]?.removeAll { $0 == other }
    objects[other]?.links[relationship.inverse]?.removeAll { $0 == id }
  }

  /// Puts the members of an ordered relationship in another order.
  mutating func arrange(_ id: Int, _ relationship: Shape.Relationship, _ ids: [Int]) {
    objects[id]?.links[relationship.name] = ids
  }

  /// Takes in an object with all that it has.
  mutating func adopt(_ object: Object, as id: Int) {
    objects[id] = object
    count = max(count, id)
  }
}

extension World {
  /// Whether two objects have the same values of attributes that are unique together.
  var hasTwins: Bool {
    var seen: Set<[AttributeScalar]> = []
    return objects.values.contains { object in
      let names = shape.together(object.entity)
      let values = names.map { object.values[$0] ?? .null }
      guard !names.isEmpty, !values.contains(.null) else { return false }
      // The names of attributes tell hierarchies apart.
      return !seen.insert(values + [.text(names.joined(separator: " "))]).inserted
    }
  }
}

extension World {
  /// One line for each object, such that equal worlds have equal lines.
  ///
  /// Objects have no names that two worlds share: each is told by its values, and by what its neighbours
  /// look like, and theirs.
  func lines() -> [String] {
    var looks: [Int: Int] = objects.mapValues { look($0, [:]) }
    for _ in 0..<4 { looks = objects.mapValues { look($0, looks) } }
    return ids.map { id in
      "\(looks[id].map { String(UInt(bitPattern: $0), radix: 36) } ?? "") \(shown(id))"
    }.sorted()
  }

  private func look(_ object: Object, _ looks: [Int: Int]) -> Int {
    var hasher = Hasher()
    hasher.combine(object.entity)
    for attribute in shape.attributes(object.entity) {
      hasher.combine(object.values[attribute.name] ?? .null)
    }
    for relationship in shape.relationships(object.entity) {
      let all = (object.links[relationship.name] ?? []).map { looks[$0] ?? 0 }
      hasher.combine(relationship.isOrdered ? all : all.sorted())
    }
    return hasher.finalize()
  }

  private func shown(_ id: Int) -> String {
    guard let object = objects[id] else { return "-" }
    var parts = [label(id)]
    for (name, value) in object.values.sorted(by: { $0.key < $1.key }) where value != .null {
      parts.append("\(name)=\(Self.shown(value))")
    }
    for relationship in shape.relationships(object.entity) {
      let all = targets(id, relationship).map(label)
      if all.isEmpty { continue }
      let sorted = relationship.isOrdered ? all : all.sorted()
      parts.append("\(relationship.name)->(\(sorted.joined(separator: " ")))")
    }
    return parts.joined(separator: " ")
  }

  private func label(_ id: Int) -> String {
    guard let object = objects[id] else { return "?" }
    let keys = shape.line(object.entity).compactMap(\.key) + shape.together(object.entity)
    return object.entity + keys.map { "." + Self.shown(value(id, $0)) }.joined()
  }

  private static func shown(_ value: AttributeScalar) -> String {
    switch value {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "\(Array(text.unicodeScalars).map { $0.escaped(asASCII: true) }.joined())"
    case .blob(let data): String(decoding: data, as: UTF8.self).debugDescription
    }
  }
}

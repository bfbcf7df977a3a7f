import CauldronModel

/// An object as plain values by name.
struct QueryObject: Sendable {
  let id: ManagedObjectID
  let entity: String
  var values: [String: AttributeScalar] = [:]
}

/// What a context sees, as dictionaries: the rules of relationships are said here once more.
struct QueryWorld: Sendable {
  let schema: QuerySchema
  private(set) var objects: [ManagedObjectID: QueryObject] = [:]
  /// What the relationships lead to, by property and object.
  private var links: [String: [ManagedObjectID: Set<ManagedObjectID>]] = [:]

  init(_ schema: QuerySchema) { self.schema = schema }

  mutating func insert(_ object: QueryObject) { objects[object.id] = object }

  mutating func set(_ name: String, of id: ManagedObjectID, to value: AttributeScalar) {
    objects[id]?.values[name] = value
  }

  /// An object goes, with all that leads to it.
  mutating func remove(_ id: ManagedObjectID) {
    guard let object = objects.removeValue(forKey: id) else { return }
    for property in schema.properties[object.entity] ?? [] where property.destination != nil {
      unlink(property, id)
    }
  }

  /// The objects whose one-way relationships to one object lead to an object, and these.
  func oneWayReferences(to id: ManagedObjectID) -> [(ManagedObjectID, QuerySchema.Property)] {
    objects.values.flatMap { object in
      (schema.properties[object.entity] ?? []).filter {
        $0.isOneWay && $0.isToOne && links[$0.name]?[object.id]?.contains(id) == true
      }.map { (object.id, $0) }
    }
  }

  /// Makes a relationship lead to some objects and to nothing else.
  mutating func assign(
    _ property: QuerySchema.Property, of id: ManagedObjectID, to others: [ManagedObjectID]
  ) {
    unlink(property, id)
    for other in others { link(property, id, other) }
  }

  private mutating func unlink(_ property: QuerySchema.Property, _ id: ManagedObjectID) {
    for other in links[property.name]?[id] ?? [] {
      links[property.inverse, default: [:]][other]?.remove(id)
    }
    links[property.name, default: [:]][id] = nil
  }

  private mutating func link(
    _ property: QuerySchema.Property, _ id: ManagedObjectID, _ other: ManagedObjectID
  ) {
    // An object that others may lead to only once leaves the former one.
    if !property.isInverseToMany {
      for former in links[property.inverse]?[other] ?? [] {
        links[property.name, default: [:]][former]?.remove(other)
      }
      links[property.inverse, default: [:]][other] = []
    }
    links[property.name, default: [:]][id, default: []].insert(other)
    links[property.inverse, default: [:]][other, default: []].insert(id)
  }

  /// The objects that a relationship leads to, by their keys.
  func targets(_ name: String, _ id: ManagedObjectID) -> [QueryObject] {
    let found = (links[name]?[id] ?? []).compactMap { objects[$0] }
    return found.count < 2 ? found : found.sorted { $0.id.key < $1.id.key }
  }

  /// The objects of an entity, by their keys.
  func all(_ entity: String, includesSubentities: Bool = true) -> [QueryObject] {
    let names = includesSubentities ? schema.families[entity] ?? [] : [entity]
    return objects.values.filter { names.contains($0.entity) }.sorted { $0.id.key < $1.id.key }
  }

  /// The same with other IDs in the place of some.
  func renamed(_ names: [ManagedObjectID: ManagedObjectID]) -> QueryWorld {
    if names.isEmpty { return self }
    func new(_ id: ManagedObjectID) -> ManagedObjectID { names[id] ?? id }
    var world = QueryWorld(schema)
    for object in objects.values {
      world.insert(QueryObject(id: new(object.id), entity: object.entity, values: object.values))
    }
    world.links = links.mapValues { ends in
      Dictionary(uniqueKeysWithValues: ends.map { (new($0), Set($1.map(new))) })
    }
    return world
  }
}

extension QuerySchema.Property {
  var inverse: String {
    switch kind {
    case .attribute: ""
    case .toOne(_, let inverse, _), .toMany(_, let inverse, _): inverse
    }
  }

  var isInverseToMany: Bool {
    switch kind {
    case .attribute: false
    case .toOne(_, _, let isMany), .toMany(_, _, let isMany): isMany
    }
  }
}

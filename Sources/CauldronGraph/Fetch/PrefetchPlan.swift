import CauldronModel
import CauldronQuery

/// Which relationships are read with the objects of a fetch, each step once.
struct PrefetchPlan {
  private(set) var steps: [Step] = []

  struct Step {
    /// The entity whose relationship it is.
    let owner: EntityLayout
    let property: PropertyLayout
    let destination: PropertyLayout.Destination
    var next = PrefetchPlan()
  }

  /// - Parameter paths: Names of relationships with points between them, such as `employer.address`.
  /// - Throws: `query.unknownKey`, `query.unsupported` for a path that does not lead over relationships.
  init(_ paths: [String], _ entity: EntityLayout) throws {
    for path in paths { try add(PropertyPath(path).steps[...], of: path, entity: entity) }
  }

  private init() {}

  private mutating func add(
    _ names: ArraySlice<String>, of path: String, entity: EntityLayout
  ) throws {
    guard let name = names.first else {
      if path.isEmpty || path == "SELF" {
        throw CauldronError.notPrefetched(path, name: path, of: entity)
      }
      return
    }
    guard let property = entity.index(of: name).map({ entity.properties[$0] }) else {
      throw CauldronError(
        .queryUnknownKey,
        "Cannot prefetch \"\(path)\": \(entity.name) has no property \"\(name)\".",
        hint: Suggestion.hint(
          for: name, among: entity.declaredProperties.filter(\.isRelationship).map(\.name)))
    }
    guard let destination = property.destination else {
      throw CauldronError.notPrefetched(path, name: name, of: entity)
    }
    let known = steps.firstIndex { $0.property.index == property.index }
    if known == nil {
      steps.append(Step(owner: entity, property: property, destination: destination))
    }
    try steps[known ?? steps.count - 1].next.add(
      names.dropFirst(), of: path, entity: destination.entity)
  }
}

extension CauldronError {
  fileprivate static func notPrefetched(
    _ path: String, name: String, of entity: EntityLayout
  ) -> CauldronError {
    CauldronError(
      .queryUnsupported,
      "Cannot prefetch \"\(path)\" of \(entity.name): \"\(name)\" is no relationship.",
      hint: "Attributes are read with their objects; name relationships alone.")
  }
}

extension PredicateBinder {
  /// Asks of the objects of the to-many relationship that the paths of a condition lead through.
  func bindOpen(
    _ quantifier: PredicateNode.Quantifier, _ condition: PredicateNode
  ) throws -> BoundPredicate {
    let name = quantifier.rawValue
    let path = try firstPath(of: condition)
    let objects = try objects(of: path)
    guard !objects.steps.isEmpty else {
      throw CauldronError.mismatch(
        entity,
        "\(name) asks of the objects of a to-many relationship, and \(path.text) leads through none",
        hint: "Leave \(name) out.")
    }
    let inner = try condition.mappingPaths { other, _ in
      guard other.steps.starts(with: objects.steps) else {
        throw CauldronError.unsupported(
          entity, other.text,
          "\(name) asks of the objects of \(objects.text), and \(other.text) is none of their paths"
        )
      }
      return PropertyPath(steps: Array(other.steps.dropFirst(objects.steps.count)))
    }
    return try bindQuantified(quantifier, objects, inner)
  }

  /// The first path of a condition that can lead through the relationship.
  private func firstPath(of condition: PredicateNode) throws -> PropertyPath {
    var paths: [PropertyPath] = []
    _ = condition.mappingPaths { path, isGathered in
      // The last step of what is gathered has a quantity of its own.
      paths.append(isGathered ? PropertyPath(steps: Array(path.steps.dropLast())) : path)
      return path
    }
    return paths.first ?? PropertyPath(steps: [])
  }

  /// A path up to its last to-many relationship; without steps where there is none.
  private func objects(of path: PropertyPath) throws -> PropertyPath {
    var end = 0
    var binder = self
    for (index, step) in path.steps.enumerated() {
      let property = try PredicateNode.property(step, binder.entity)
      guard property.kind == .toOne || property.kind == .toMany else { break }
      if property.kind == .toMany { end = index + 1 }
      binder = try binder.following(property)
    }
    return PropertyPath(steps: Array(path.steps.prefix(end)))
  }
}

/// How many objects a to-many relationship may lead to.
package struct CountLimit: Sendable {
  /// The relationship's index.
  package let index: Int
  private let isOptional: Bool
  private let least: Int
  private let most: Int

  /// Nil for a relationship that may lead to any number, and for a to-one, whose column tells.
  package init?(_ property: PropertyLayout) {
    guard case .relationship(let relationship) = property.description, relationship.isToMany else {
      return nil
    }
    index = property.index
    isOptional = relationship.isOptional
    least = max(relationship.minCount, isOptional ? 0 : 1)
    most = relationship.maxCount > 1 ? relationship.maxCount : .max
    if most == .max, least < (isOptional ? 2 : 1) { return nil }
  }

  /// The limit of the relationship that leads back.
  package init?(inverseOf property: PropertyLayout) {
    guard let destination = property.destination else { return nil }
    self.init(destination.entity.properties[destination.inverse])
  }

  /// What is wrong with a number; nil where nothing is.
  package func failure(_ count: Int) -> CountFailure? {
    if count > most { return .tooMany(most) }
    return count < least && !(isOptional && count == 0) ? .tooFew(least) : nil
  }

  /// Whether more objects than before may be too many.
  package var limitsGains: Bool { most < .max || isOptional && least > 1 }
  /// Whether fewer objects than before may be too few.
  package var limitsLosses: Bool { least > 0 }
}

/// What is wrong with the number of objects that a relationship leads to, with the limit.
package enum CountFailure: Sendable, Hashable {
  case tooFew(Int)
  case tooMany(Int)
}

extension PropertyLayout {
  /// Whether the property is a to-many relationship that columns tell of: those of its destinations, or
  /// of its links.
  var isKeptByColumns: Bool {
    join != nil || destination.map { $0.entity.properties[$0.inverse].kind == .toOne } ?? false
  }
}

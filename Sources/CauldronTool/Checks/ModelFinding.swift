import CauldronModel

/// Something doubtful in a model, with what to do about it.
package struct ModelFinding: Encodable, Hashable {
  /// What was found.
  package enum Kind: String, Encodable, CaseIterable {
    case oneWay = "relationship.oneWay"
    case inverse = "relationship.inverse"
    case destination = "relationship.destination"
    case denyBoth = "deleteRule.deny"
    case cascadeCircle = "deleteRule.cascade"
    case nullifyRequired = "deleteRule.nullify"
    case dangling = "deleteRule.noAction"
    case bounds = "attribute.bounds"
    case noDefault = "attribute.default"
    case nameTwice = "name.twice"
    case keyword = "name.keyword"
    case member = "name.member"
    case notSwift = "name.spelling"
    case optionalUnique = "unique.optional"
    case unusedEntity = "entity.unused"
    case notUnderstood = "entity.partial"
    case needlessIndex = "index.needless"
    case badIndex = "index.property"
    case fetchCondition = "fetch.condition"
    case fetchEntity = "fetch.entity"
    case invalid = "model.invalid"
  }

  package let kind: Kind
  package let entity: String?
  package let property: String?
  /// The sentence that says what is doubtful.
  package let message: String
  /// The sentence that says what to do.
  package let remedy: String
  /// Whether nothing has to be done.
  package var isNote = false

  package init(
    _ kind: Kind, at place: Place, message: String, remedy: String
  ) {
    self.kind = kind
    (entity, property) = (place.entity, place.property)
    self.message = message
    self.remedy = remedy
  }

  /// The same as a note.
  var asNote: ModelFinding {
    var copy = self
    copy.isNote = true
    return copy
  }

  /// What a finding is about.
  package struct Place {
    let entity: String?
    let property: String?

    /// - Parameter entity: Nil for the model as a whole.
    package init(_ entity: String?, _ property: String? = nil) {
      (self.entity, self.property) = (entity, property)
    }
  }
}

extension EntityTable.End {
  /// The relationship as the place of a finding.
  var place: ModelFinding.Place { ModelFinding.Place(entity, relationship.name) }
}

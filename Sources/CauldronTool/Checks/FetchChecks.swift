import CauldronModel
import CauldronQuery

/// Looks at what a model has for fetches: templates, fetched properties and indexes.
struct FetchChecks {
  private let table: EntityTable
  private let model: ManagedObjectModel?
  private let templates: [FetchRequestTemplate]

  /// - Parameter model: The model; nil where the descriptions make none, so that no key is looked at.
  init(_ table: EntityTable, model: ManagedObjectModel?, templates: [FetchRequestTemplate]) {
    (self.table, self.model, self.templates) = (table, model, templates)
  }

  var findings: [ModelFinding] {
    templates.flatMap { findings(of: $0, named: "The template \($0.name)", in: .init(nil)) }
      + table.entities.flatMap { entity in
        entity.fetchedProperties.flatMap {
          findings(
            of: $0, named: "\(entity.name).\($0.name)", in: .init(entity.name, $0.name))
        } + needless(entity)
      }
  }

  private func findings(
    of template: FetchRequestTemplate, named name: String, in place: ModelFinding.Place
  ) -> [ModelFinding] {
    guard table[template.entityName] != nil else {
      return [
        ModelFinding(
          .fetchEntity, at: place,
          message: "\(name) fetches \(template.entityName), which is not in the model.",
          remedy: "Name another entity, or remove it.")
      ]
    }
    guard let reason = ConditionCheck(template).mistake(in: model) else { return [] }
    return [
      ModelFinding(
        .fetchCondition, at: place,
        message: "\(name) has a condition that cannot be asked: \(reason)",
        remedy: "Correct it; the article on queries has the grammar.")
    ]
  }

  // MARK: Indexes

  private func needless(_ entity: EntityDescription) -> [ModelFinding] {
    entity.indexes.enumerated().compactMap { place, index in
      guard let reason = reason(against: index, at: place, of: entity) else { return nil }
      return ModelFinding(
        .needlessIndex, at: .init(entity.name, index.name),
        message: "The index \(entity.name).\(index.name) (\(index.words)) is needless: \(reason).",
        remedy: "Remove it; each save has to write it.")
    }
  }

  private func reason(
    against index: IndexDescription, at place: Int, of entity: EntityDescription
  ) -> String? {
    for (other, candidate) in entity.indexes.enumerated() where other != place {
      let isSame = candidate.terms == index.terms
      if isSame, other > place { continue }
      if isSame { return "it is the same as \(candidate.name)" }
      if candidate.terms.starts(with: index.terms) {
        return "\(candidate.name) begins with the same properties"
      }
    }
    let constraints = table.family(of: entity.name).flatMap(\.uniquenessConstraints)
    if index.descending.isEmpty, constraints.contains(where: { $0.starts(with: index.properties) })
    {
      return "what is unique has an index by itself"
    }
    guard index.properties.count == 1, let name = index.properties.first,
      case .relationship(let relationship)? = table.property(name, of: entity.name),
      !relationship.isToMany
    else { return nil }
    return "a to-one relationship has an index by itself"
  }
}

extension IndexDescription {
  /// A property with its direction.
  fileprivate struct Term: Equatable {
    let name: String
    let isDescending: Bool
  }

  fileprivate var terms: [Term] {
    properties.map { Term(name: $0, isDescending: descending.contains($0)) }
  }
}

/// Tries whether a condition of a model can be asked, whatever the values of its variables.
private struct ConditionCheck {
  private let entity: String
  /// The condition, with the paths from the object that has a fetched property as one variable.
  private let format: String?
  private let variables: Set<String>

  init(_ template: FetchRequestTemplate) {
    entity = template.entityName
    format = template.predicateFormat?
      .replacing(/\$FETCH_SOURCE(\.\w+)+/, with: "$FETCH_SOURCE")
    variables = Set((format ?? "").matches(of: /\$(\w+)/).map { String($0.1) })
  }

  /// Why it cannot be asked with any value; nil where it can.
  /// - Parameter model: Nil where no key is to be looked at.
  func mistake(in model: ManagedObjectModel?) -> String? {
    guard let format else { return nil }
    var first: (any Error)?
    for value in Self.values {
      do {
        let condition = try PredicateNode(
          format: format, arguments: [],
          variables: Dictionary(uniqueKeysWithValues: variables.map { ($0, value) }))
        if let layout = model?.layout(named: entity) { _ = try condition.bound(to: layout) }
        return nil
      } catch let error as CauldronError where !variables.isEmpty && error.code != .queryUnknownKey
      {
        // The values are no program's: another kind of value may do.
        first = first ?? error
      } catch {
        return Self.text(error)
      }
    }
    // The values are those of nobody: only a condition without any is judged by their types.
    return variables.isEmpty ? first.map(Self.text) : nil
  }

  private static func text(_ error: any Error) -> String {
    (error as? CauldronError)?.message ?? "\(error)"
  }

  /// One of each kind that a variable may stand for.
  private static var values: [Any?] { ["a", 1, nil, ["a"], [1]] }
}

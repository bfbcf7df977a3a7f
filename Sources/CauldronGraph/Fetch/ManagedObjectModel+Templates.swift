import CauldronLedger
public import CauldronModel
import CauldronQuery
import Foundation
import Logging

extension ManagedObjectModel {
  /// The fetch of a template of the model, with values for the variables in its condition.
  ///
  /// ```swift
  /// let adults = try context.fetch(
  ///   model.fetchRequestFromTemplate(withName: "adults", substitutionVariables: ["LEAST": 18]))
  /// ```
  /// - Parameter substitutionVariables: The values by the variables' names, without the sign.
  /// - Throws: `query.unknownKey` for a name that the model does not have, and as
  ///   ``PredicateNode/init(format:arguments:variables:)``.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables: [String: Any?] = [:]
  ) throws -> FetchRequest<ManagedObject> {
    guard let template = fetchRequestTemplates.first(where: { $0.name == name }) else {
      throw CauldronError(
        .queryUnknownKey, "The model has no fetch request template \"\(name)\".",
        hint: Suggestion.hint(for: name, among: fetchRequestTemplates.map(\.name)))
    }
    return try FetchRequest(template, variables: substitutionVariables)
  }
}

extension FetchRequest where Object == ManagedObject {
  init(_ template: FetchRequestTemplate, variables: [String: Any?]) throws {
    self.init(entityName: template.entityName)
    predicate = try template.predicateFormat.map {
      try PredicateNode(format: $0, arguments: [], variables: variables)
    }
    limit = template.fetchLimit > 0 ? template.fetchLimit : nil
    includesSubentities = template.includesSubentities
  }
}

extension ManagedObject {
  /// What a fetched property finds now; nil for a name of none.
  func fetched(_ key: String) -> [ManagedObject]? {
    guard let template = layout.fetchedProperty(key), let context = managedObjectContext else {
      return nil
    }
    do {
      var (template, variables) = (
        template, ["FETCH_SOURCE": self, "FETCHED_PROPERTY": key as Any?]
      )
      template.predicateFormat = try template.predicateFormat.map {
        try takePaths(in: $0, for: &variables)
      }
      return try context.fetch(FetchRequest(template, variables: variables))
    } catch {
      core._withUnsafeGuaranteedRef {
        $0.coordinator.logger.error("Cannot fetch \(layout.name).\(key): \(error)")
      }
      return []
    }
  }

  /// Puts a variable in the place of each path that begins with the object, such as `$FETCH_SOURCE.owner.name`.
  private func takePaths(
    in format: String, for variables: inout [String: Any?]
  ) throws -> String {
    var result = ""
    var rest = Substring(format)
    var quote: Character?
    while let character = rest.first {
      if let open = quote {
        if character == open { quote = nil }
      } else if "\"'".contains(character) {
        quote = character
      } else if rest.hasPrefix("$FETCH_SOURCE.") {
        let path = rest.dropFirst(14).prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
        let name = "FETCH_SOURCE_\(variables.count)"
        variables[name] = try value(at: path)
        result += "$" + name
        rest = rest.dropFirst(14 + path.count)
        continue
      }
      result.append(character)
      rest = rest.dropFirst()
    }
    return result
  }

  /// What a path of stored properties leads to; of several objects a list.
  private func value(at path: Substring) throws -> Any? {
    var value: Any? = self
    var entity: EntityLayout? = layout
    var steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while let first = steps.first {
      if let joined = entity?.joiningElements(steps) { steps = joined }
      let step = steps.first ?? first
      steps = steps.dropFirst()
      func next(_ object: ManagedObject) throws -> Any? {
        object.value(forKey: try object.property(step).name)
      }
      entity = entity?.index(of: step).flatMap { entity?.properties[$0].destination?.entity }
      switch value {
      case let object as ManagedObject: value = try next(object)
      case let objects as [ManagedObject]: value = try objects.compactMap(next)
      case nil: return nil
      default:
        throw CauldronError(
          .queryUnsupported, "\"\(path)\" goes on behind an attribute, which no path can.",
          hint: "End the path with the attribute.")
      }
    }
    return value
  }
}

import Cauldron
import Foundation

extension FormatPredicate {
  /// Whether the condition holds for an object, its unsaved changes included.
  /// - Throws: `query.…`; `query.unsupported` for what is no managed object.
  /// - Complexity: One statement.
  func holds(for object: Any?, _ variables: [String: Any]) throws -> Bool {
    guard let object = object as? ManagedObject else {
      let what = object.map { "a \(type(of: $0))" } ?? "nil"
      throw CauldronError(
        .queryUnsupported, "Cannot evaluate \"\(predicateFormat)\" with \(what).",
        hint: "Give it a managed object, or make the predicate of a block.")
    }
    guard let context = object.managedObjectContext else { return false }
    var request = FetchRequest<ManagedObject>(entityName: object.entity.name)
    request.predicate = .and([.isSelf([object.objectID]), try node(variables)])
    return try context.count(for: request) > 0
  }
}

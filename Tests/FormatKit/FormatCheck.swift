import CauldronModel
package import CauldronQuery
import Foundation

/// Asks a parser for what holds of every text: a tree that prints and parses back, or an error that
/// says where.
package enum FormatCheck {
  /// Has objects be written and read as if a store were open; for a process in which none will be,
  /// since the first one to say how it is done decides for all.
  package static func openStore() {
    IDCoding.set(
      IDCoding.Ways(write: uri, print: uri) { text in
        let parts = text.split(separator: "/").map(String.init)
        guard parts.count == 3, parts[0] == "x-test:", let entity = Int32(parts[1]),
          let key = Int64(parts[2])
        else { throw CauldronError(.objectNotFound, "\"\(text)\" is no URI.") }
        return ManagedObjectID(key: key, entityNumber: entity, storeNumber: 1)
      })
  }

  private static func uri(_ id: ManagedObjectID) -> String {
    "x-test:/\(id.entityNumber)/\(id.key)"
  }

  /// What does not hold of a text; nil where all does.
  /// - Returns: Also whether it is a condition.
  package static func finding(
    _ format: String, _ arguments: [Any?], _ variables: [String: Any?]
  ) -> (finding: String?, isTree: Bool) {
    do {
      let tree = try PredicateNode(format: format, arguments: arguments, variables: variables)
      return (finding(tree), true)
    } catch let error as CauldronError {
      return (finding(error, format), false)
    } catch {
      return ("threw \(error)", false)
    }
  }

  /// Whether what a tree prints is the tree.
  package static func finding(_ tree: PredicateNode) -> String? {
    let text = tree.description
    if text.contains("\"ObjectID\")"), !readsObjects { return nil }
    do {
      let again = try PredicateNode(format: text)
      if again.description != text { return "\(text) prints as \(again)" }
      return again == tree ? nil : "\(TreeText.text(tree)) becomes \(TreeText.text(again))"
    } catch {
      return "\(text) is printed, and not read: \(error)"
    }
  }

  /// Whether objects can be read back: not where no store is open, or one that has others.
  private static var readsObjects: Bool {
    let node = PredicateNode.isSelf([
      ManagedObjectID(key: 1, entityNumber: 2, storeNumber: 1)
    ])
    return (try? PredicateNode(format: "\(node)")) == node
  }

  private static let codes: Set<CauldronError.Code> = [
    .queryUnsupported, .queryTypeMismatch, .queryTooDeep, .objectNotFound,
  ]

  private static func finding(_ error: CauldronError, _ format: String) -> String? {
    guard codes.contains(error.code) else { return "the code is \(error.code)" }
    guard let position = error.position, (1...format.count + 1).contains(position) else {
      return "the position is \(error.position.map(String.init) ?? "none") of \(format.count)"
    }
    let text = error.description
    if text.contains(where: \.isNewline) { return "the error has several lines: \(text)" }
    return text.utf8.count > 2_000 ? "the error is long: \(text)" : nil
  }
}

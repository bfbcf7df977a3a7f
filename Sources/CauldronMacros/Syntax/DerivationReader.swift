import SwiftDiagnostics
import SwiftSyntax

/// Finds what is wrong with `@Attribute(derived:)` as far as the variable alone tells; whether there is
/// such a relationship is found when the model is built.
enum DerivationReader {
  static func finding(_ stored: StoredVariable, _ type: TypeSyntax) -> Finding? {
    guard let argument = stored.arguments.first(where: { $0.label?.text == "derived" }) else {
      return nil
    }
    if let clause = stored.binding.initializer {
      return Finding(
        stored.identifier, .derivedDefault(name: stored.name),
        fixIts: [FixIt("remove the default value", .removeTail(clause))])
    }
    if let text = argument.expression.constantString, !isCount(text) {
      return Finding(
        argument.expression, .derivedExpression(name: stored.name, expression: text))
    }
    guard integers.contains(type.lastName ?? "") else {
      return Finding(
        stored.identifier,
        .derivedType(name: stored.name, type: stored.type.trimmedDescription),
        fixIts: [FixIt("change the type to 'Int'", .replace(stored.type, with: "Int"))])
    }
    return nil
  }

  private static let integers = ["Int", "Int16", "Int32", "Int64"]

  /// Whether a text is the name of a relationship and `.@count`.
  private static func isCount(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1] == "@count" && !parts[0].isEmpty
      && !parts[0].contains("@")
  }
}

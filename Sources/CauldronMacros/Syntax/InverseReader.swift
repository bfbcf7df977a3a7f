import SwiftDiagnostics
import SwiftSyntax

/// Finds relationships of one class that name one another, which is a cycle for the compiler.
///
/// Of two classes a macro sees one only; there the compiler's own words must do.
enum InverseReader {
  static func findings(_ properties: [Property], in name: String) -> [Finding] {
    properties.enumerated().compactMap { index, property in
      guard let path = property.inversePath, path.rootName == name,
        let other = properties[..<index].first(where: {
          $0.name == property.inverseName && $0.inverseName == property.name
            && $0.inversePath?.rootName == name
        })
      else { return nil }
      return Finding(
        path, .inverseOnBothSides(name: other.name, other: property.name),
        fixIts: fixIts(property, path))
    }
  }

  private static func fixIts(_ property: Property, _ path: KeyPathExprSyntax) -> [FixIt] {
    var node = path.parent
    while let step = node, !step.is(AttributeSyntax.self) { node = step.parent }
    guard property.arguments.count == 1, let attribute = node?.as(AttributeSyntax.self) else {
      return []
    }
    let bare = "@\(attribute.attributeName.trimmedDescription)"
    return [FixIt("replace it with '\(bare)'", .replace(attribute, with: bare))]
  }
}

extension Property {
  fileprivate var inversePath: KeyPathExprSyntax? {
    argument("inverse")?.as(KeyPathExprSyntax.self)
  }
}

extension KeyPathExprSyntax {
  /// The name of the type that the path starts from.
  fileprivate var rootName: String? { root?.lastName }
}

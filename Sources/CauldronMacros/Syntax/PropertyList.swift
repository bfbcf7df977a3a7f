import SwiftSyntax

/// One list of key paths in `#Unique` or `#Index`, as names of properties.
struct PropertyList {
  /// What the list is for.
  enum Kind: String {
    case unique = "Unique"
    case index = "Index"
  }

  let kind: Kind
  /// The properties' names, without backticks.
  let names: [String]

  /// The names as an array literal.
  var literal: String { "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]" }
}

extension Property {
  /// What `@Attribute(.unique)` and `@Attribute(.indexed)` say, as lists of the property alone.
  var markedLists: [PropertyList] {
    arguments.compactMap { argument in
      argument.lookup.map { PropertyList(kind: $0, names: [plainName]) }
    }
  }
}

extension LabeledExprSyntax {
  /// Whether the argument is `.unique` or `.indexed`.
  var lookup: PropertyList.Kind? {
    guard label == nil, let member = expression.as(MemberAccessExprSyntax.self) else { return nil }
    switch member.declName.baseName.text {
    case "unique": return .unique
    case "indexed": return .index
    default: return nil
    }
  }
}

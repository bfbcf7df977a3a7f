extension AttributeDescription {
  /// The relationship whose objects are counted; nil where the derivation is of another form, or there is
  /// none.
  package var countedRelationship: String? {
    guard let derivation, derivation.hasSuffix(Self.countSuffix) else { return nil }
    let name = derivation.dropLast(Self.countSuffix.count)
    return name.isEmpty || name.contains(where: { ".@".contains($0) }) ? nil : String(name)
  }

  /// The expression that counts the objects of a relationship.
  package static func count(of relationship: String) -> String { relationship + countSuffix }

  private static var countSuffix: String { ".@count" }
}

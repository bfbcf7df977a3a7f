import CauldronModel

extension ModelWriter {
  /// What a derived attribute has beside the others: the expression `count:(pages)`, as Core Data parses
  /// `pages.@count`.
  mutating func addDerivation(
    of attribute: AttributeDescription, to fields: inout [String: PropertyListTree]
  ) {
    guard let name = attribute.countedRelationship else { return }
    let receiver = archive.object(
      ["NSConstantValueExpression", "NSExpression"],
      [
        "NSExpressionType": .integer(0),
        "NSConstantValueClassName": .reference(archive.text("_NSPredicateUtilities")),
      ])
    let arguments = archive.array([keyPath(name)])
    let count = archive.object(
      ["NSFunctionExpression", "NSExpression"],
      [
        "NSExpressionType": .integer(4), "NSOperand": .reference(receiver),
        "NSSelectorName": .reference(archive.text("count:")),
        "NSArguments": .reference(arguments),
      ])
    fields["NSDerivationExpression"] = .reference(count)
    fields["NSFilteringPredicate"] = .null
  }

  private mutating func keyPath(_ name: String) -> Int {
    let receiver = archive.object(
      ["NSSelfExpression", "NSExpression"], ["NSExpressionType": .integer(1)])
    let step = archive.object(
      ["NSKeyPathSpecifierExpression", "NSExpression"],
      ["NSExpressionType": .integer(10), "NSKeyPath": .reference(archive.text(name))])
    let arguments = archive.object(
      ["NSMutableArray", "NSArray"], ["NS.objects": .array([.reference(step)])])
    return archive.object(
      ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
      [
        "NSExpressionType": .integer(3), "NSOperand": .reference(receiver),
        "NSSelectorName": .reference(archive.text("valueForKey:")),
        "NSArguments": .reference(arguments),
      ])
  }
}

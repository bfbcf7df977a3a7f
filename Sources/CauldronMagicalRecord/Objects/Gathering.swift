import Cauldron
import Foundation

/// What an old call gathers from objects: a function by its name, and a property.
struct Gathering {
  private let expression: QueryExpression
  private let function: QueryExpression.Aggregate
  /// The type of the property's values; nil for a count.
  private let type: AttributeType?

  /// - Parameters:
  ///   - name: `sum:`, `min:`, `max:`, `average:` or `count:`, with or without the colon.
  ///   - attribute: The property, perhaps behind to-one relationships.
  /// - Throws: `query.unsupported` for another function.
  init(_ name: String, of attribute: String, _ entity: EntityLayout?) throws {
    guard let function = Self.functions[name.filter { $0 != ":" }.lowercased()] else {
      throw CauldronError(
        .queryUnsupported, "Cannot compute \"\(name)\" of \"\(attribute)\".",
        hint: "The functions are sum:, min:, max:, average: and count:.")
    }
    self.function = function
    let path = PropertyPath(attribute)
    type = ValueBox.type(of: path, in: entity)
    let value = function == .count ? nil : QueryExpression.property(path)
    expression = .aggregate(function, of: PropertyPath(steps: []), value)
  }

  private static let functions: [String: QueryExpression.Aggregate] = [
    "sum": .sum, "min": .minimum, "max": .maximum, "average": .average, "avg": .average,
    "count": .count,
  ]

  /// The columns of a request: what is gathered, behind what the objects are grouped by.
  func columns(_ group: PropertyPath?) -> [QueryExpression] {
    (group.map { [.property($0)] } ?? []) + [expression]
  }

  /// What was gathered, as Foundation has it.
  func value(_ scalar: AttributeScalar) -> Any? {
    let keepsType = function == .minimum || function == .maximum || type == .decimal
    return ValueBox.value(scalar, keepsType ? type : nil)
  }
}

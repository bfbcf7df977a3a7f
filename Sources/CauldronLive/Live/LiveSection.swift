import CauldronList
import CauldronModel
import CauldronQuery

/// What divides a result, as it was asked for.
struct LiveSection: Hashable, Sendable {
  let expression: QueryExpression
  let form: SectionForm

  /// What a closure makes of the values that rows are ordered by.
  var transform: RowPlan.Transform? {
    guard case .custom(let name) = form else { return nil }
    return { .text(name.body($0)) }
  }
}

/// How a section's value follows from a row's value.
enum SectionForm: Hashable, Sendable {
  case value
  case firstLetter
  case day(timeZone: String)
  case month(timeZone: String)
  case custom(SectionName)
}

/// A closure that names sections; two are equal if they are one.
final class SectionName: Hashable, Sendable {
  let body: @Sendable (AttributeScalar) -> String

  init(_ body: @escaping @Sendable (AttributeScalar) -> String) { self.body = body }

  static func == (a: SectionName, b: SectionName) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

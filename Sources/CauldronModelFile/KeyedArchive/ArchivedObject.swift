/// An object of a keyed archive: its class, and its values by their keys.
struct ArchivedObject {
  let className: String
  let values: [String: PropertyListObject]

  /// Whether a truth value is there and true.
  func flag(_ key: String) -> Bool { values[key]?.number.map { $0 != 0 } ?? false }

  /// A whole number; nil where there is none.
  func integer(_ key: String) -> Int? {
    switch values[key] {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    default: nil
    }
  }

  /// A reference to another object; nil where there is none or it leads to nil.
  func reference(_ key: String) -> Int? {
    guard case .reference(let number) = values[key], number != 0 else { return nil }
    return number
  }
}

extension PropertyListObject {
  /// The value as a number; nil where it is none.
  var number: Double? {
    switch self {
    case .boolean(let value): value ? 1 : 0
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}

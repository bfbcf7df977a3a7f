/// The names of the properties that lead from an object to a value, to an object, or to several.
///
/// ```swift
/// let name: PropertyPath = "employer.name"
/// ```
/// All steps but the last are relationships. A path without steps is the object itself.
public struct PropertyPath: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The names, the object's own property first.
  public let steps: [String]

  /// A path of these steps.
  public init(steps: [String]) { self.steps = steps }

  /// A path as it is written, with points between its steps; `SELF` stands for the object itself.
  public init(_ text: String) {
    steps = text == "SELF" ? [] : text.split(separator: ".").map(String.init)
  }

  public init(stringLiteral text: String) { self.init(text) }

  /// The path as it is written in a format string.
  public var text: String { steps.isEmpty ? "SELF" : steps.joined(separator: ".") }

  /// The path with one more step.
  public func appending(_ step: String) -> PropertyPath { PropertyPath(steps: steps + [step]) }

  /// The path without its first step.
  var dropFirst: PropertyPath { PropertyPath(steps: Array(steps.dropFirst())) }
}

extension PropertyPath: Codable {
  public init(from decoder: any Decoder) throws {
    steps = try decoder.singleValueContainer().decode([String].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(steps)
  }
}

public import CauldronModel

/// What was wrong with a record of an import.
public struct ImportProblem: Sendable, Hashable, CustomStringConvertible {
  /// What became of it.
  public enum Consequence: Sendable, Hashable {
    /// Nothing of the record was imported.
    case refused
    /// The record was imported without this.
    case leftOut
  }

  /// The record's number in the file, from 0.
  public let record: Int
  /// Where in the file, as a JSON pointer (RFC 6901).
  public let pointer: String
  /// What kind of problem it is.
  public let code: CauldronError.Code
  /// What is wrong, without the place.
  public let reason: String
  /// What became of it.
  public let consequence: Consequence

  /// The place and what is wrong: `/17/area: "n/a" is not a number`.
  public var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}

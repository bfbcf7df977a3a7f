public import Cauldron
public import Foundation

extension PredicateNode {
  /// The condition that a predicate stands for, for a request.
  ///
  /// ```swift
  /// request.predicate = try PredicateNode(NSPredicate(format: "age >= %d", 18))
  /// ```
  /// - Throws: `query.…` where a format cannot be read; `query.unsupported` for a predicate that is made
  ///   of a block.
  @available(*, deprecated, message: "use 'try PredicateNode(format: …)'")
  public init(_ predicate: NSPredicate) throws { self = try predicate.condition() }
}

extension NSPredicate {
  /// The condition that the predicate stands for.
  /// - Throws: `query.…` where a format cannot be read; `query.unsupported` for a predicate that is made
  ///   of a block.
  func condition() throws -> PredicateNode {
    switch self {
    case let predicate as FormatPredicate: return try predicate.node()
    case let predicate as NSCompoundPredicate: return try predicate.junction()
    default:
      for value in [true, false] where isEqual(NSPredicate(value: value)) {
        return .constant(value)
      }
      throw CauldronError(
        .queryUnsupported, "Cannot find with a predicate that is made of a block.",
        hint: "Make it of a format string, or filter what is found.")
    }
  }
}

extension NSCompoundPredicate {
  fileprivate func junction() throws -> PredicateNode {
    let parts = try subpredicates.map { try $0.condition() }
    return switch compoundPredicateType {
    case .and: .and(parts)
    case .or: .or(parts)
    case .not: .not(.and(parts))
    }
  }
}

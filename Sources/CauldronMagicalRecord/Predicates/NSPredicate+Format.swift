public import Cauldron
public import Foundation

extension NSPredicate: ClassFactory {}

// Foundation has these initializers on Linux, too, but marked unavailable, so that these are taken.

extension NSPredicate {
  /// Makes a predicate of a format string, for the calls that take one.
  ///
  /// ```swift
  /// let adults = NSPredicate(format: "age >= %d AND %K BEGINSWITH[cd] %@", 18, "name", "jö")
  /// ```
  /// What is wrong with the format is reported by the call that uses the predicate.
  /// - Parameters:
  ///   - format: The condition; see `PredicateNode.init(format:_:)` for the grammar.
  ///   - arguments: One for each `%@`, `%K`, `%d`, `%i`, `%ld`, `%u`, `%f` and the like, in their order;
  ///     values and never text of the condition, whatever they hold. Foundation's objects stand for
  ///     the Swift values that they are.
  /// - Complexity: O(length) at each use.
  @available(*, deprecated, message: "use 'findAll(matching: …)', or 'PredicateNode(format: …)'")
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(format, arguments)
  }

  /// Makes a predicate of a format string, with the arguments in a list.
  @available(*, deprecated, message: "use 'PredicateNode(format:arguments:)'")
  public convenience init(format: String, argumentArray arguments: [Any]?) {
    self.init(format, arguments ?? [])
  }

  /// The same predicate with values for `$least` and the like, by their names without the sign; one that
  /// is not made of a format string stays as it is.
  @available(*, deprecated, message: "use 'PredicateNode(format:arguments:variables:)'")
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    (self as? FormatPredicate)?.adding(variables) as? Self ?? self
  }

  /// Makes one that carries the format. A class of the program that derives from NSPredicate cannot be
  /// made so.
  private convenience init(_ format: String, _ arguments: [Any?]) {
    self.init {
      guard let made = FormatPredicate(.format(format, arguments)) as? Self else {
        trap("\(Self.self) cannot be made of a format string; NSPredicate can.")
      }
      return made
    }
  }

  private convenience init(_ make: () -> Self) { self.init(making: make) }
}

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

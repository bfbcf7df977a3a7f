public import Cauldron
public import Foundation

/// A predicate that carries a condition, which Foundation's own cannot on Linux.
///
/// It is read where it is used, so that an error is one of the call that uses it.
final class FormatPredicate: NSPredicate {
  /// What is carried.
  enum Content {
    /// A format string and its arguments.
    case format(String, [Any?])
    /// A condition that is read already.
    case node(PredicateNode)
  }

  let content: Content
  /// The values of `$least` and the like, by their names without the sign.
  let variables: [String: Any]

  init(_ content: Content, variables: [String: Any] = [:]) {
    self.content = content
    self.variables = variables
    // Nothing calls the block. A predicate of a truth value would be equal to others by that value.
    super.init { _, _ in false }
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  /// The same with more values for variables.
  func adding(_ more: [String: Any]) -> FormatPredicate {
    FormatPredicate(content, variables: variables.merging(more) { $1 })
  }

  /// The condition, with values for its variables.
  /// - Throws: `query.…` where the format cannot be read.
  func node(_ more: [String: Any] = [:]) throws -> PredicateNode {
    switch content {
    case .node(let node): return node
    case .format(let format, let arguments):
      let variables = variables.merging(more) { $1 }.mapValues(FormatValue.plain)
      return try PredicateNode(
        format: format, arguments: arguments.map(FormatValue.plain), variables: variables)
    }
  }

  /// The condition as a format string; where it cannot be read, as it was given.
  override var predicateFormat: String {
    if let node = try? node() { return "\(node)" }
    if case .format(let format, _) = content { return format }
    return ""
  }

  override var description: String { predicateFormat }

  /// Whether the condition holds for a managed object; false where that cannot be told, which is
  /// reported.
  override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    let context = (object as? ManagedObject)?.managedObjectContext
    return MagicalRecord.attempt(in: context) { try holds(for: object, bindings ?? [:]) } ?? false
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FormatPredicate else { return false }
    guard let node = try? node(), let others = try? other.node() else { return self === other }
    return node == others
  }

  override var hash: Int { (try? node())?.hashValue ?? ObjectIdentifier(self).hashValue }
}

extension FormatPredicate {
  /// Whether the condition holds for an object, its unsaved changes included.
  /// - Throws: `query.…`; `query.unsupported` for what is no managed object.
  /// - Complexity: One statement.
  func holds(for object: Any?, _ variables: [String: Any]) throws -> Bool {
    guard let object = object as? ManagedObject else {
      let what = object.map { "a \(type(of: $0))" } ?? "nil"
      throw CauldronError(
        .queryUnsupported, "Cannot evaluate \"\(predicateFormat)\" with \(what).",
        hint: "Give it a managed object, or make the predicate of a block.")
    }
    return try node(variables).evaluate(with: object)
  }
}

/// An argument of a format string as Cauldron takes it.
enum FormatValue {
  /// The Swift value that one of Foundation's objects stands for; nil for `NSNull`.
  static func plain(_ value: Any?) -> Any? {
    switch ScalarConversion.plain(value) {
    case let list as NSArray: list.map(plain)
    case let list as NSSet: list.map(plain)
    case let list as NSOrderedSet: list.map(plain)
    // Swift's own numbers can be cast to a number object, too.
    case let number? where type(of: number) is NSNumber.Type: plain(number as? NSNumber)
    case let value: value
    }
  }

  private static func plain(_ number: NSNumber?) -> Any? {
    guard let number else { return nil }
    if let decimal = number as? NSDecimalNumber { return decimal.decimalValue }
    if ["d", "f"].contains(String(cString: number.objCType)) { return number.doubleValue }
    return Int64(number.stringValue) ?? number.doubleValue
  }
}

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

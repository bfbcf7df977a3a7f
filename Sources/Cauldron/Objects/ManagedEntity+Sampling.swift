public import CauldronGraph
import CauldronModel

extension ManagedEntity {
  /// Whether there is any object that a condition selects, unsaved changes included.
  ///
  /// ```swift
  /// if try !Person.hasAny(in: context) { … }
  /// ```
  /// - Parameters:
  ///   - condition: Which objects; nil for all.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement that stops at the first row; with pending changes one more.
  public static func hasAny(
    where condition: Where<Self>? = nil, in context: some ObjectContext
  ) throws -> Bool {
    try context.count(for: request(where: condition, sortedBy: [], limit: 1, offset: 0)) > 0
  }

  /// Whether there is any object that a condition selects, in the default context.
  @MainActor
  public static func hasAny(where condition: Where<Self>? = nil) throws -> Bool {
    try hasAny(where: condition, in: ManagedObjectContext.default)
  }

  /// Some of the objects that a condition selects, chosen by chance, in the order of chance.
  ///
  /// ```swift
  /// let cards = try Card.randomSample(5, where: \.isKnown == false, in: context)
  /// ```
  /// - Parameters:
  ///   - count: How many; fewer where there are not so many. Each object is chosen at most once.
  ///   - condition: Which objects; nil for all.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: Two statements: the keys of all that are selected, 24 bytes each, and the rows of
  ///   those that are chosen.
  public static func randomSample(
    _ count: Int = 1, where condition: Where<Self>? = nil, in context: some ObjectContext
  ) throws -> [Self] {
    var chance = SystemRandomNumberGenerator()
    return try randomSample(count, where: condition, in: context, using: &chance)
  }

  /// The same with a source of chance of the program's own, so that a test can repeat it.
  public static func randomSample(
    _ count: Int = 1, where condition: Where<Self>? = nil, in context: some ObjectContext,
    using chance: inout some RandomNumberGenerator
  ) throws -> [Self] {
    guard count > 0 else { return [] }
    var ids = try context.fetchObjectIDs(request(where: condition))
    for place in ids.indices.prefix(count) {
      ids.swapAt(place, Int.random(in: place..<ids.count, using: &chance))
    }
    let chosen = ids.prefix(count)
    let found = try findAll(where: .isIn(chosen), in: context)
    let places = Dictionary(
      chosen.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    return found.sorted { places[$0.objectID, default: 0] < places[$1.objectID, default: 0] }
  }

  /// Some of the objects that a condition selects, chosen by chance, in the default context.
  @MainActor
  public static func randomSample(
    _ count: Int = 1, where condition: Where<Self>? = nil
  ) throws -> [Self] {
    try randomSample(count, where: condition, in: ManagedObjectContext.default)
  }
}

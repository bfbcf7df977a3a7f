public import CauldronGraph
import CauldronModel

extension ObjectQuery {
  /// Some of the objects, in the window, chosen by chance, in the order of chance.
  ///
  /// ```swift
  /// let cards = try Card.where(\.isKnown == false).randomSample(5, in: context)
  /// ```
  /// - Parameters:
  ///   - count: How many; fewer where there are not so many. Each object is chosen at most once.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: Two statements: the keys of all that are selected, 24 bytes each, and the rows of
  ///   those that are chosen.
  public func randomSample(_ count: Int = 1, in context: some ObjectContext) throws -> [Object] {
    var chance = SystemRandomNumberGenerator()
    return try randomSample(count, in: context, using: &chance)
  }

  /// The same with a source of chance that can be repeated.
  package func randomSample(
    _ count: Int = 1, in context: some ObjectContext,
    using chance: inout some RandomNumberGenerator
  ) throws -> [Object] {
    guard count > 0 else { return [] }
    var ids = try fetchIDs(in: context)
    for place in ids.indices.prefix(count) {
      ids.swapAt(place, Int.random(in: place..<ids.count, using: &chance))
    }
    let chosen = ids.prefix(count)
    let found = try context.fetch(Object.request(where: .isIn(chosen)))
    let places = Dictionary(
      chosen.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    return found.sorted { places[$0.objectID, default: 0] < places[$1.objectID, default: 0] }
  }
}

import Cauldron
import Foundation

extension ManagedEntity {
  /// A request for what an old call asks for.
  /// - Parameters:
  ///   - predicate: Which objects; nil for all.
  ///   - terms: The order as text; nil for none.
  /// - Throws: `query.…` for a predicate or an order that cannot be read.
  static func oldRequest(
    _ predicate: NSPredicate? = nil, sortedBy terms: String? = nil, ascending: Bool = true,
    limit: Int? = nil
  ) throws -> FetchRequest<Self> {
    var request = FetchRequest<Self>()
    request.predicate = try predicate?.condition()
    request.limit = limit
    if let terms {
      request.sortKeys = try SortKey.terms(terms, ascending: ascending)
      request.fetchBatchSize = MagicalRecord.defaultBatchSize
    }
    return request
  }

  /// A request that finds nothing, in the place of one that cannot be made.
  static var emptyRequest: FetchRequest<Self> {
    var request = FetchRequest<Self>()
    request.predicate = .constant(false)
    return request
  }

  /// The condition that a property has a value.
  static func equality(_ attribute: String, _ value: Any?) -> NSPredicate {
    FormatPredicate(.format("%K == %@", [attribute, value]))
  }
}

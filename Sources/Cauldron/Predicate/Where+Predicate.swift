public import CauldronGraph
import CauldronModel
import CauldronQuery
public import Foundation

extension Where {
  /// A condition that is written as a Foundation predicate.
  ///
  /// ```swift
  /// let atAcme = try Where<Person>(#Predicate { $0.employer?.name == "Acme" && $0.age >= 18 })
  /// ```
  /// It means what the same condition means here: text is compared byte by byte, and what is nil is like
  /// anything else, where Foundation's evaluation would throw. Other objects are compared by their IDs:
  /// `$0.employer?.objectID == id`.
  /// - Throws: `query.unsupported` for what a store cannot be asked, with the form that can.
  /// - Complexity: O(parts of the predicate).
  public init(_ predicate: Predicate<Object>) throws {
    let reader = PredicateReader(entity: Object._entityName)
      .binding(predicate.variable.key, to: .object(PropertyPath(steps: [])))
    self.init(try reader.condition(predicate.expression))
  }
}

extension ObjectQuery {
  /// Only those for which a Foundation predicate holds, too.
  /// - Throws: `query.unsupported` for what a store cannot be asked.
  public func `where`(_ predicate: Predicate<Object>) throws -> ObjectQuery {
    self.where(try Where(predicate))
  }
}

extension ManagedEntity {
  /// The objects for which a Foundation predicate holds.
  ///
  /// ```swift
  /// let jack = try await Person.where(#Predicate { $0.name == "jack" }).first()
  /// ```
  /// - Throws: `query.unsupported` for what a store cannot be asked.
  public static func `where`(_ predicate: Predicate<Self>) throws -> ObjectQuery<Self> {
    try ObjectQuery().where(predicate)
  }
}

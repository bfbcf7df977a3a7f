package import CauldronModel

/// A model as a store or a `.mom` file keeps it.
///
/// Bytes from anywhere give a model or a failure, in a time and a space that their number limits. What
/// they describe is not checked: `ManagedObjectModel` does that.
package struct StoredModel: Sendable {
  /// The entities by name, each with its own properties only, by name as well.
  ///
  /// A property or an entity that was renamed has one original name: Core Data's renaming identifier.
  /// There are no classes and no rules.
  package var entities: [EntityDescription]
  /// Strings that the developer gave the version.
  package var versionIdentifiers: [String]
  /// The entities that have something which descriptions cannot say, and their subentities.
  ///
  /// Composite attributes, fetched properties, transient relationships and what is derived otherwise than
  /// by a count are left out, so that an entity's version hash may differ from Core Data's.
  package var open: Set<String> = []

  /// A model that is to be kept; inverses that only the other side names are completed.
  package init(entities: [EntityDescription], versionIdentifiers: [String] = []) {
    self.entities = InverseCompletion(entities).completed.map(\.sorted)
      .sorted { $0.name < $1.name }
    self.versionIdentifiers = versionIdentifiers
  }
}

extension EntityDescription {
  /// The same entity with its properties by name.
  fileprivate var sorted: EntityDescription {
    var entity = self
    entity.properties.sort { $0.name < $1.name }
    return entity
  }
}

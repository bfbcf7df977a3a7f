/// One thing in which a model differs from the one that wrote a store.
package struct ModelChange: Sendable, Hashable {
  /// What has become of it.
  package enum Kind: Sendable, Hashable {
    case added
    case removed
    case renamed(from: String)
    /// Something else than the name: what it was and what it is.
    case changed(from: String, to: String)
  }

  /// The entity's name, in the model or else in the store.
  package let entity: String
  /// The property's name; nil for the entity as a whole.
  package var property: String?
  package let kind: Kind
  /// What has to be said in the code because values of the store are lost: `fax: String` for a property,
  /// the name for an entity.
  package var loss: String?
}

extension ModelChange: CustomStringConvertible {
  /// A few words: `Person + nickname`, `Person.label → title`, `+ Company`.
  package var description: String {
    let name = property.map { "\(entity).\($0)" } ?? entity
    switch (kind, property) {
    case (.added, let property?): return "\(entity) + \(property)"
    case (.removed, let property?): return "\(entity) − \(property)"
    case (.added, nil): return "+ \(entity)"
    case (.removed, nil): return "− \(entity)"
    case (.renamed(let old), let property?): return "\(entity).\(old) → \(property)"
    case (.renamed(let old), nil): return "\(old) → \(entity)"
    case (.changed(let old, let new), _): return "\(name): \(old) → \(new)"
    }
  }
}

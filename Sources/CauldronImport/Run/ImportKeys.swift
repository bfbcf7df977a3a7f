import CauldronModel

/// The keys of all records of a file, so that it is known at the first which of them will come.
package struct ImportKeys {
  private var keys: Set<KeyRef> = []

  package init() {}

  /// Notes the keys of a chunk.
  package mutating func note(_ chunk: ImportChunk, _ plan: ImportPlan) {
    for record in chunk.records where record.problem == nil {
      for object in chunk.objects[record.objects] {
        let entity = plan.entities[object.plan]
        guard let key = entity.key else { continue }
        keys.insert(KeyRef(key, of: entity, object.key))
      }
    }
  }

  func contains(_ key: KeyRef) -> Bool { keys.contains(key) }
}

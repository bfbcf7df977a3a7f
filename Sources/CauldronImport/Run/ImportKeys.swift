import CauldronModel

/// The keys of all records of a file, so that it is known at the first which of them will come.
package struct ImportKeys {
  private var keys: Set<KeyRef> = []

  package init() {}

  /// Notes the keys of a chunk, and what else its objects will be found by.
  package mutating func note(_ chunk: ImportChunk, _ plan: ImportPlan) {
    for record in chunk.records where record.problem == nil {
      for object in chunk.objects[record.objects] {
        let entity = plan.entities[object.plan]
        if object.key >= 0 { keys.insert(chunk.keys[object.key]) }
        guard plan.movesKeys else { continue }
        for value in chunk.values[object.values] {
          let attribute = entity.attributes[value.attribute]
          let scalar = value.scalar ?? attribute.fallback
          if attribute.isSideKey, !scalar.isNull { keys.insert(KeyRef(attribute, scalar)) }
        }
      }
    }
  }

  func contains(_ key: KeyRef) -> Bool { keys.contains(key) }
}

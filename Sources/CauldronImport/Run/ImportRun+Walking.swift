import CauldronGraph
import CauldronModel

// What the links of a chunk will ask for, read many at a time.
extension ImportRun {
  /// Reads what matters of the relationships of the chunk's objects, and of those that they are to lead to.
  /// - Complexity: One statement for each such relationship and few hundred objects.
  func walkMembers() {
    var reading = MemberReading()
    for draft in chunk.objects {
      let entity = plan.entities[draft.plan]
      for link in chunk.links[draft.links] {
        let relationship = entity.relationships[link.relationship]
        let owner = known(draft, entity)
        if let owner, relationship.isRead(by: link) { reading.add(owner, relationship.index) }
        guard let inverse = relationship.inverse else { continue }
        let isPair = !relationship.isToMany && inverse.isToOne
        guard inverse.isOrdered || isPair else { continue }
        for target in targets(link, relationship) {
          if isPair { reading.add(partnerOf: target, inverse.index) }
          if inverse.isOrdered { reading.add(target, inverse.index) }
        }
        if isPair, let owner { reading.add(partnerOf: owner, relationship.index) }
      }
    }
    for (property, objects) in reading.walks.values { context.importWalk(objects, property) }
    if !reading.partners.isEmpty { context.importRead(reading.partners) }
  }

  /// Those objects that a link leads to which are there.
  private func targets(_ link: LinkDraft, _ relationship: RelationshipPlan) -> [ManagedObject] {
    let entity = plan.entities[relationship.destination]
    return (link.children ?? 0..<0).compactMap { child in
      switch chunk.children[child] {
      case .object(let index): known(chunk.objects[index], plan.entities[chunk.objects[index].plan])
      // One of another entity may have the key, which refuses the record.
      case .key(let slot): (try? target(slot, entity)) ?? nil
      }
    }
  }

  /// Notes that a new object leads nowhere yet, so that nobody asks the store.
  func knowEmpty(_ object: ManagedObject, _ draft: ObjectDraft, _ entity: EntityPlan) {
    for link in chunk.links[draft.links] {
      let relationship = entity.relationships[link.relationship]
      if relationship.isToMany, relationship.isRead(by: link) {
        context.importKnowsEmpty(object, relationship.index)
      }
    }
  }
}

extension RelationshipPlan {
  /// Whether it matters what a to-many relationship leads to before a record's link is made.
  fileprivate func isRead(by link: LinkDraft) -> Bool {
    isToMany
      && (isOrdered || isJoined || link.children == nil || mapping.members == .replace
        || mapping.members == .replaceAndDelete)
  }
}

/// What is to be read of relationships.
private struct MemberReading {
  private(set) var walks: [Int64: (property: PropertyLayout, objects: [ManagedObject])] = [:]
  private(set) var partners: [ManagedObjectID] = []

  mutating func add(_ object: ManagedObject, _ index: Int) {
    // Of one that was created here nobody else knows anything.
    if object.isInserted { return }
    let place = Int64(object.layout.number) << 32 | Int64(index)
    walks[place, default: (object.layout.properties[index], [])].objects.append(object)
  }

  mutating func add(partnerOf object: ManagedObject, _ index: Int) {
    if let partner = object.destination(index) { partners.append(partner.objectID) }
  }
}

import CauldronGraph
import CauldronModel

/// What the links of a chunk will ask for, read many at a time.
struct MemberReading {
  private let state: ImportState
  private let keys: KeyFinding
  private var walks: [Int64: (property: PropertyLayout, objects: [ManagedObject])] = [:]
  private var partners: [ManagedObjectID] = []

  init(_ state: ImportState, _ keys: KeyFinding) {
    self.state = state
    self.keys = keys
  }

  /// Reads what matters of the relationships of the chunk's objects, and of those that they are to lead to.
  /// - Throws: Why one of them cannot be read.
  /// - Complexity: One statement for each such relationship and few hundred objects.
  mutating func read() throws {
    for draft in state.chunk.objects {
      let entity = state.plan.entities[draft.plan]
      for link in state.chunk.links[draft.links] {
        let relationship = entity.relationships[link.relationship]
        let owner = keys.known(draft, in: entity)
        if let owner, relationship.isRead(by: link) { add(owner, at: relationship.index) }
        guard let inverse = relationship.inverse else { continue }
        let isPair = !relationship.isToMany && inverse.isToOne
        guard inverse.isOrdered || isPair else { continue }
        for target in targets(of: link, through: relationship) {
          if isPair { add(partnerOf: target, inverse.index) }
          if inverse.isOrdered { add(target, at: inverse.index) }
        }
        if isPair, let owner { add(partnerOf: owner, relationship.index) }
      }
    }
    for (property, objects) in walks.values {
      try state.context.importWalk(objects, through: property)
    }
    if !partners.isEmpty { state.context.importRead(partners) }
  }

  /// Those objects that a link leads to which are there.
  private func targets(of link: LinkDraft, through relationship: RelationshipPlan)
    -> [ManagedObject]
  {
    let entity = state.plan.entities[relationship.destination]
    return (link.children ?? 0..<0).compactMap { child in
      switch state.chunk.children[child] {
      case .object(let index):
        keys.known(
          state.chunk.objects[index], in: state.plan.entities[state.chunk.objects[index].plan])
      // One of another entity may have the key, which refuses the record.
      case .key(let slot): (try? keys.target(at: slot, in: entity)) ?? nil
      }
    }
  }

  private mutating func add(_ object: ManagedObject, at index: Int) {
    // Of one that was created here nobody else knows anything.
    if object.isInserted { return }
    let place = Int64(object.layout.number) << 32 | Int64(index)
    walks[place, default: (object.layout.properties[index], [])].objects.append(object)
  }

  private mutating func add(partnerOf object: ManagedObject, _ index: Int) {
    if let partner = object.destination(index) { partners.append(partner.objectID) }
  }
}

extension RelationshipPlan {
  /// Whether it matters what a to-many relationship leads to before a record's link is made.
  func isRead(by link: LinkDraft) -> Bool {
    isToMany
      && (isOrdered || isJoined || link.children == nil || mapping.members == .replace
        || mapping.members == .replaceAndDelete)
  }
}

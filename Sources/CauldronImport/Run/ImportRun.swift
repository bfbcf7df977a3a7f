package import CauldronGraph
package import CauldronModel
import CauldronQuery
import CauldronStore

/// An import under way: takes chunks of records to a context. It belongs to the context's queue.
package final class ImportRun {
  let plan: ImportPlan
  let context: ManagedObjectContext
  /// Whether nothing is ever saved.
  let isPreview: Bool
  @exclusivity(unchecked) package internal(set) var report: ImportReport

  // Across chunks.
  /// What this import has given keys and not saved. Some may have lost them again.
  @exclusivity(unchecked) var keyed: [KeyRef: KeyHolders] = [:]
  /// Of which nothing but the key is known, though it is created.
  var stubs: [ManagedObjectID: KeyRef] = [:]
  var stubLinks: [ManagedObjectID: [Waiting]] = [:]
  var waiting: [KeyRef: [Waiting]] = [:]
  /// What has links that wait, or lead to stubs, and since when such a relationship says something else.
  var open: Set<LinkPlace> = []
  var lapsed: [LinkPlace: Int] = [:]
  /// How often something was said of such a relationship.
  var serial = 0
  /// The objects of the records themselves, where others may be deleted.
  var own: Set<ManagedObjectID> = []
  var removed: [RemovedMember] = []
  /// By which ways back records have led to objects, and when they did last, where others may be deleted.
  var linked: [LinkPlace: Int] = [:]
  /// What is yet to be validated, because it waits, or has waited, for a link.
  var late: [ManagedObjectID: LateObject] = [:]
  var refusedLate: Set<ManagedObjectID> = []
  /// The values that this import has given, of which there may be one each.
  var taken: [UniqueValues: ManagedObject] = [:]
  /// How many keys had been exchanged when IDs were noted.
  private var exchanges: UInt32 = 0
  /// The keys of refused records.
  var refused: Set<KeyRef> = []
  /// The keys that the first reading has found; nil where there is none.
  package var announced: ImportKeys?

  /// The object that the only record is; nil where its key says that.
  package var known: ManagedObject?

  // In a chunk.
  @exclusivity(unchecked) var chunk = ImportChunk()
  /// What has the chunk's keys.
  @exclusivity(unchecked) var slots: [KeySlot] = []
  /// What the store has for keys, where records change them.
  var found: [KeyRef: KeyHolders] = [:]
  var looks: [(place: KeyPlace, look: ManagedObjectContext.Look)] = []
  /// What the store has of other unique values.
  var foundUnique: [UniqueValues: [ManagedObject]] = [:]
  // In a record.
  @exclusivity(unchecked) var unit: RecordUnit
  /// The objects of the records, in their order; nil where nobody wants them.
  package var collected: [ManagedObjectID?]?

  package init(_ plan: ImportPlan, _ context: ManagedObjectContext, isPreview: Bool = false) {
    self.plan = plan
    self.context = context
    self.isPreview = isPreview
    report = ImportReport(entity: plan.entities[0].entity.name, warnings: plan.warnings)
    unit = RecordUnit(
      record: RecordDraft(place: RecordPlace(number: 0), objects: 0..<0, problem: nil, key: nil))
    context.importJoins(by: plan.foundBy)
    if isPreview { context.importReservesNothing() }
  }

  /// Imports a chunk.
  /// - Throws: What the store meets; with `stopsAtFirst` also `import.refused`.
  package func take(_ chunk: ImportChunk) throws {
    self.chunk = chunk
    report.note(chunk.unread)
    try lookUp()
    try lookUpUnique()
    try walkMembers()
    for record in chunk.records { try take(record) }
    context.processPendingChanges()
    found.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    looks.removeAll(keepingCapacity: true)
    foundUnique.removeAll(keepingCapacity: true)
    self.chunk = ImportChunk()
  }

  private func take(_ record: RecordDraft) throws {
    unit = RecordUnit(record: record)
    report.records += 1
    collected?.append(nil)
    if let problem = record.problem { return try refuse(problem) }
    do {
      unit.isUndoable = try check(record) || plan.needsUndo
      if unit.isUndoable { beginUndo() }
      let object = try object(record.objects.lowerBound)
      if plan.needsUndo { try validate() }
      if unit.isUndoable { endUndo() }
      keep(object)
    } catch let refusal as Refusal {
      if unit.isUndoable { try undo() }
      try refuse(problem(refusal), underlying: refusal.underlying)
    }
  }

  /// The object that a draft is known to be.
  func known(_ index: Int) -> ManagedObject? {
    index == unit.record.objects.lowerBound ? known : nil
  }

  /// Objects may have other keys since they were noted.
  func followExchanges() {
    let count = context.importExchangeCount
    guard count != exchanges else { return }
    exchanges = count
    follow()
  }

  private func refuse(_ problem: ImportProblem, underlying: (any Error)? = nil) throws {
    report.refused += 1
    report.note(problem)
    if let value = unit.record.key, !value.isNull, let key = plan.entities[0].key {
      refused.insert(KeyRef(key, value))
    }
    guard plan.options.stopsAtFirst else { return }
    throw CauldronError(
      .importRefused, "The import of \(report.entity) has stopped at \(problem).",
      hint: report.committed > 0 ? "" : "Nothing was imported."
    ).with {
      $0.entity = report.entity
      $0.underlying = underlying
    }
  }

  private func problem(_ refusal: Refusal) -> ImportProblem {
    unit.record.place.problem(at: refusal.path, refusal.code, refusal.reason, .refused)
  }

  /// The record stays: what it has done is done.
  private func keep(_ object: ManagedObject?) {
    switch unit.outcome {
    case .created: report.created += 1
    case .updated: report.updated += 1
    case .unchanged: report.unchanged += 1
    case .declined: report.declined += 1
    }
    for (number, counts) in unit.related {
      report.related[plan.entities[number].entity.name, default: .init()].created += counts.created
      report.related[plan.entities[number].entity.name, default: .init()].updated += counts.updated
    }
    removed += unit.removed
    report.deleted += unit.deleted
    linked.merge(unit.linked) { max($0, $1) }
    for object in unit.late { late[object.id] = object }
    guard let object else { return }
    if plan.deletes { own.insert(object.objectID) }
    if let collected { self.collected?[collected.count - 1] = object.objectID }
  }
}

// What the links of a chunk will ask for, read many at a time.
extension ImportRun {
  /// Reads what matters of the relationships of the chunk's objects, and of those that they are to lead to.
  /// - Throws: Why one of them cannot be read.
  /// - Complexity: One statement for each such relationship and few hundred objects.
  func walkMembers() throws {
    var reading = MemberReading()
    for draft in chunk.objects {
      let entity = plan.entities[draft.plan]
      for link in chunk.links[draft.links] {
        let relationship = entity.relationships[link.relationship]
        let owner = known(draft, in: entity)
        if let owner, relationship.isRead(by: link) { reading.add(owner, at: relationship.index) }
        guard let inverse = relationship.inverse else { continue }
        let isPair = !relationship.isToMany && inverse.isToOne
        guard inverse.isOrdered || isPair else { continue }
        for target in targets(of: link, through: relationship) {
          if isPair { reading.add(partnerOf: target, inverse.index) }
          if inverse.isOrdered { reading.add(target, at: inverse.index) }
        }
        if isPair, let owner { reading.add(partnerOf: owner, relationship.index) }
      }
    }
    for (property, objects) in reading.walks.values {
      try context.importWalk(objects, through: property)
    }
    if !reading.partners.isEmpty { context.importRead(reading.partners) }
  }

  /// Those objects that a link leads to which are there.
  private func targets(of link: LinkDraft, through relationship: RelationshipPlan)
    -> [ManagedObject]
  {
    let entity = plan.entities[relationship.destination]
    return (link.children ?? 0..<0).compactMap { child in
      switch chunk.children[child] {
      case .object(let index):
        known(chunk.objects[index], in: plan.entities[chunk.objects[index].plan])
      // One of another entity may have the key, which refuses the record.
      case .key(let slot): (try? target(at: slot, in: entity)) ?? nil
      }
    }
  }

  /// Notes that a new object leads nowhere yet, so the store is not asked.
  func knowEmpty(_ object: ManagedObject, from draft: ObjectDraft, in entity: EntityPlan) {
    for link in chunk.links[draft.links] {
      let relationship = entity.relationships[link.relationship]
      if relationship.isToMany, relationship.isRead(by: link) {
        context.importKnowsEmpty(object, at: relationship.index)
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

  mutating func add(_ object: ManagedObject, at index: Int) {
    // Of one that was created here nobody else knows anything.
    if object.isInserted { return }
    let place = Int64(object.layout.number) << 32 | Int64(index)
    walks[place, default: (object.layout.properties[index], [])].objects.append(object)
  }

  mutating func add(partnerOf object: ManagedObject, _ index: Int) {
    if let partner = object.destination(index) { partners.append(partner.objectID) }
  }
}

// A save may give objects other keys: those that were created while nobody could reserve any.
extension ImportRun {
  /// Has all that is noted of objects name them as they are called now.
  /// - Complexity: O(what waits, and what is left to be done at the end).
  func follow() {
    func now(_ id: ManagedObjectID) -> ManagedObjectID { context.importFollowed(id) }
    func now(_ place: LinkPlace) -> LinkPlace {
      LinkPlace(owner: now(place.owner), property: place.property)
    }
    func now(_ link: Waiting) -> Waiting {
      var link = link
      link.owner = now(link.owner)
      link.former = link.former.map(now)
      link.list.follow(now)
      return link
    }
    stubs = Dictionary(stubs.map { (now($0), $1) }) { first, _ in first }
    stubLinks = Dictionary(stubLinks.map { (now($0), $1.map(now)) }) { $0 + $1 }
    waiting = waiting.mapValues { $0.map(now) }
    open = Set(open.map(now))
    lapsed = Dictionary(lapsed.map { (now($0), $1) }) { max($0, $1) }
    own = Set(own.map(now))
    linked = Dictionary(linked.map { (now($0), $1) }) { max($0, $1) }
    removed = removed.map { member in
      var member = member
      (member.id, member.owner) = (now(member.id), now(member.owner))
      return member
    }
    late = Dictionary(
      late.values.map { object in
        var object = object
        object.id = now(object.id)
        return (object.id, object)
      }
    ) { first, _ in first }
  }
}

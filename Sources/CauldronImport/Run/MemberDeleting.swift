import CauldronGraph
import CauldronModel
import CauldronSave

/// Deletes what records take out of relationships, where that is asked for and nothing else leads to it.
final class MemberDeleting {
  private let state: ImportState
  /// The objects of the records themselves, where others may be deleted.
  private var own: Set<ManagedObjectID> = []
  private var removed: [RemovedMember] = []
  /// By which ways back records have led to objects, and when they did last, where others may be deleted.
  private var linked: [LinkPlace: Int] = [:]
  /// What the record under way has done, which counts only where it is not refused.
  @exclusivity(unchecked) private var pending = Pending()

  private struct Pending {
    /// Members that were taken out and are to be deleted where nobody links them.
    var removed: [RemovedMember] = []
    /// How many objects were deleted at once, as another one stands where they must.
    var deleted = 0
    var linked: [LinkPlace: Int] = [:]
  }

  init(_ state: ImportState) { self.state = state }

  func beginRecord() { pending = Pending() }

  /// The record stays.
  /// - Parameter object: The record's own object.
  func keepRecord(_ object: ManagedObject?) {
    removed += pending.removed
    state.report.deleted += pending.deleted
    linked.merge(pending.linked) { max($0, $1) }
    if state.plan.deletes, let object { own.insert(object.objectID) }
  }

  /// Replaces the IDs in the notes by the present ones.
  func follow(_ now: (ManagedObjectID) -> ManagedObjectID) {
    own = Set(own.map(now))
    linked = Dictionary(linked.map { ($0.followed(now), $1) }) { max($0, $1) }
    removed = removed.map { member in
      var member = member
      (member.id, member.owner) = (now(member.id), now(member.owner))
      return member
    }
  }

  /// Takes a member out of a relationship.
  func remove(
    _ member: ManagedObject, from object: ManagedObject, through relationship: RelationshipPlan
  ) {
    let deletes = relationship.mapping.members == .replaceAndDelete
    // What must lead to an owner leads to this one as long as it is there.
    let isKept = deletes && relationship.inverseIsRequired
    if !isKept { object.removeDestination(through: relationship.index, member) }
    if deletes { noteRemoved(member, from: object, through: relationship, isKept: isKept) }
  }

  private func noteRemoved(
    _ member: ManagedObject, from object: ManagedObject, through relationship: RelationshipPlan,
    isKept: Bool
  ) {
    pending.removed.append(
      RemovedMember(
        id: member.objectID, owner: object.objectID, property: relationship.index, isKept: isKept,
        serial: state.nextSerial(), record: state.record))
  }

  /// Another object stands where a to-one relationship led to one.
  func replaced(
    _ former: ManagedObject, of object: ManagedObject, through relationship: RelationshipPlan
  ) {
    guard relationship.mapping.members == .replaceAndDelete else { return }
    // What must lead back cannot wait for the end of the import; without a key no record can link it.
    if relationship.inverseIsRequired, let inverse = relationship.inverse,
      former.destination(inverse.index) == nil, !state.context.importIsDenied(former)
    {
      former.delete()
      pending.deleted += 1
    } else {
      noteRemoved(former, from: object, through: relationship, isKept: false)
    }
  }

  /// Has a relationship lead nowhere.
  /// - Returns: Whether anything was changed.
  func clear(_ relationship: RelationshipPlan, of object: ManagedObject) throws -> Bool {
    guard relationship.isToMany else {
      guard let former = object.destination(relationship.index) else { return false }
      object.setDestination(through: relationship.index, to: nil)
      replaced(former, of: object, through: relationship)
      return true
    }
    let members = try object.readDestinations(relationship.index)
    for member in members { remove(member, from: object, through: relationship) }
    return !members.isEmpty
  }

  /// Notes the targets of a record's links: the loss of another link to a target does not delete it.
  func noteLinked(_ targets: [ManagedObject], through relationship: RelationshipPlan) {
    guard state.plan.deletes, let way = relationship.inverse?.index else { return }
    let serial = state.nextSerial()
    for target in targets {
      pending.linked[LinkPlace(owner: target.objectID, property: way)] = serial
    }
  }

  /// Deletes what was taken out of a relationship, where nothing that records say leads to it and none is
  /// about it.
  /// - Complexity: One statement for each relationship that leads to such objects, and few hundred of them.
  func deleteRemoved() throws {
    let members = members()
    try walkBack(from: members.map(\.object))
    // What one of them leads to is not one of them for that.
    let orphans = try members.filter { try !isLinked($0.object, as: $0.member) }
    for (object, member) in orphans where object.isThereForImport {
      if state.context.importIsDenied(object) {
        leave(object, as: member)
        continue
      }
      object.delete()
      state.report.deleted += 1
    }
    removed = []
  }

  private typealias Member = (object: ManagedObject, member: RemovedMember)

  /// Those that are there, once for each relationship that they were taken out of.
  private func members() -> [Member] {
    var seen: Set<LinkPlace> = []
    // When it was taken out last is what counts.
    return removed.reversed().compactMap { member in
      let owner = state.context.object(with: member.owner)
      let way = owner.layout.properties[member.property].destination?.inverse ?? 0
      let place = LinkPlace(owner: member.id, property: way)
      guard !own.contains(member.id), seen.insert(place).inserted else { return nil }
      let object = state.context.object(with: member.id)
      guard (try? object.load()) != nil, object.isThereForImport else { return nil }
      return (object, member)
    }.reversed()
  }

  private func walkBack(from objects: [ManagedObject]) throws {
    for (_, family) in Dictionary(grouping: objects, by: \.layout.number) {
      for property in family[0].layout.properties where property.kind == .toMany {
        let asked = family.filter { mayBeLinked($0, by: property.index) }
        if !asked.isEmpty { try state.context.importWalk(asked, through: property) }
      }
    }
  }

  private func mayBeLinked(_ object: ManagedObject, by way: Int) -> Bool {
    linked[LinkPlace(owner: object.objectID, property: way)] != nil
  }

  /// Whether the relationship leads to an object by another owner, or a record has led to it by another
  /// relationship, and does still.
  private func isLinked(_ object: ManagedObject, as member: RemovedMember) throws -> Bool {
    let owner = state.context.object(with: member.owner)
    let own = owner.layout.properties[member.property].destination?.inverse
    return try object.layout.properties.contains { property in
      guard property.index == own || mayBeLinked(object, by: property.index) else { return false }
      if property.kind == .toMany { return try !object.readDestinationIDs(property.index).isEmpty }
      guard let target = object.destination(property.index) else { return false }
      guard member.isKept, property.index == own, target === owner else { return true }
      // It leads there still; the owner may have listed it again.
      let place = LinkPlace(owner: object.objectID, property: property.index)
      return linked[place].map { $0 > member.serial } ?? false
    }
  }

  private func leave(_ object: ManagedObject, as member: RemovedMember) {
    let name = state.context.object(with: member.owner).layout.properties[member.property].name
    state.report.note(
      member.record.place.problem(
        .validationDenied,
        "\(object.layout.name) \(object.objectID) is no \(name) any more and stays, because a"
          + " relationship of it denies that it is deleted", .leftOut))
  }
}

/// A member that was taken out of a relationship, and is deleted where nothing else leads to it.
struct RemovedMember {
  var id: ManagedObjectID
  var owner: ManagedObjectID
  /// The owner's relationship.
  let property: Int
  /// Whether it leads to the owner still.
  let isKept: Bool
  /// When it was taken out, among all that is said of links.
  let serial: Int
  let record: RecordDraft
}

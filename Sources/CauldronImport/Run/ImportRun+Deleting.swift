import CauldronGraph
import CauldronModel

// What is not listed any more.
extension ImportRun {
  /// Deletes what was taken out of a relationship, where nothing that records say leads to it and none is
  /// about it.
  /// - Complexity: One statement for each relationship that leads to such objects, and few hundred of them.
  func deleteRemoved() {
    let members = members()
    walkBack(from: members.map(\.object))
    // What one of them leads to is not one of them for that.
    let orphans = members.filter { !isLinked($0.object, $0.member) }
    for (object, member) in orphans where object.isThereForImport {
      if context.importIsDenied(object) {
        leave(object, member)
        continue
      }
      object.delete()
      report.deleted += 1
    }
    removed = []
  }

  private typealias Member = (object: ManagedObject, member: RemovedMember)

  /// Those that are there, once for each relationship that they were taken out of.
  private func members() -> [Member] {
    var seen: Set<LinkPlace> = []
    // When it was taken out last is what counts.
    return removed.reversed().compactMap { member in
      let owner = context.object(with: member.owner)
      let way = owner.layout.properties[member.property].destination?.inverse ?? 0
      let place = LinkPlace(owner: member.id, property: way)
      guard !own.contains(member.id), seen.insert(place).inserted else { return nil }
      let object = context.object(with: member.id)
      guard (try? object.load()) != nil, object.isThereForImport else { return nil }
      return (object, member)
    }.reversed()
  }

  private func walkBack(from objects: [ManagedObject]) {
    for (_, family) in Dictionary(grouping: objects, by: \.layout.number) {
      for property in family[0].layout.properties where property.kind == .toMany {
        let asked = family.filter { mayBeLinked($0, property.index) }
        if !asked.isEmpty { context.importWalk(asked, property) }
      }
    }
  }

  private func mayBeLinked(_ object: ManagedObject, _ way: Int) -> Bool {
    linked[LinkPlace(owner: object.objectID, property: way)] != nil
  }

  /// Whether the relationship leads to an object by another owner, or a record has led to it by another
  /// relationship, and does still.
  private func isLinked(_ object: ManagedObject, _ member: RemovedMember) -> Bool {
    let owner = context.object(with: member.owner)
    let own = owner.layout.properties[member.property].destination?.inverse
    return object.layout.properties.contains { property in
      guard property.index == own || mayBeLinked(object, property.index) else { return false }
      if property.kind == .toMany { return !object.destinationIDs(property.index).isEmpty }
      guard let target = object.destination(property.index) else { return false }
      guard member.isKept, property.index == own, target === owner else { return true }
      // It leads there still; the owner may have listed it again.
      let place = LinkPlace(owner: object.objectID, property: property.index)
      return linked[place].map { $0 > member.serial } ?? false
    }
  }

  private func leave(_ object: ManagedObject, _ member: RemovedMember) {
    let name = context.object(with: member.owner).layout.properties[member.property].name
    let record = member.record
    report.note(
      ImportProblem(
        record: record.number,
        pointer: ImportPointer(record: record.isAlone ? nil : record.number, "").text,
        code: .validationDenied,
        reason:
          "\(object.layout.name) \(object.objectID) is no \(name) any more and stays, because a"
          + " relationship of it denies that it is deleted", consequence: .leftOut))
  }
}

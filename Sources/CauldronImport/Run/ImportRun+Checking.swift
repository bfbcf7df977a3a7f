import CauldronGraph
import CauldronModel

// What can be known before anything is set. Where no code of the program's own has a say, that is all that
// can be wrong with a record.
extension ImportRun {
  func check(_ record: RecordDraft) throws(Refusal) {
    var seen: [Int] = []
    for index in record.objects {
      do throws(Refusal) { try check(index, &seen) } catch {
        throw error.under(chunk.objects[index].path)
      }
    }
  }

  private func check(_ index: Int, _ seen: inout [Int]) throws(Refusal) {
    let draft = chunk.objects[index]
    let entity = plan.entities[draft.plan]
    let slot = objectSlots[index]
    let known = try resolved(slot, entity)
    let isFirst = slot < 0 || !seen.contains(slot)
    if slot >= 0, isFirst { seen.append(slot) }
    if let known, !known.layout.isKind(of: entity.entity) {
      throw Refusal(
        .importAmbiguous,
        "the object with this key is a \(known.layout.name) and no \(entity.entity.name)")
    }
    for value in chunk.values[draft.values] { try check(value, entity) }
    if known == nil, isFirst, !entity.mayFill { try checkIsComplete(draft, entity) }
    for link in chunk.links[draft.links] { try check(link, entity) }
  }

  private func check(_ value: ValueDraft, _ entity: EntityPlan) throws(Refusal) {
    let attribute = entity.attributes[value.attribute]
    guard let scalar = value.scalar else { return }
    let name = attribute.paths.first?.text ?? attribute.name
    if scalar.isNull {
      guard attribute.isRequired, !attribute.isImported else { return }
      throw Refusal(
        .validationMissing, "\(entity.entity.name).\(attribute.name) is required, and null"
      )
      .under(name)
    }
    if attribute.rules.isEmpty { return }
    var scratch = RowBuilder()
    let row = scratch.set(
      attribute.index, scalar, of: scratch.begin(entity.entity, key: 0), entity.entity)
    for rule in attribute.rules {
      guard let failure = rule.failure(in: row) else { continue }
      let error = CauldronError.broken(failure, "\(entity.entity.name).\(attribute.name)")
      throw Refusal(error.code, error.message.trimmed).under(name)
    }
  }

  /// A new object has all that is required.
  private func checkIsComplete(_ draft: ObjectDraft, _ entity: EntityPlan) throws(Refusal) {
    for name in entity.stubMisses {
      let isSet = chunk.values[draft.values].contains {
        entity.attributes[$0.attribute].name == name
          && ($0.scalar.map { !$0.isNull } ?? true)
      }
      let isLinked = chunk.links[draft.links].contains {
        entity.relationships[$0.relationship].name == name && $0.children?.isEmpty == false
      }
      if isSet || isLinked || entity.imported.contains(name) { continue }
      throw Refusal(
        .validationMissing, "\(entity.entity.name).\(name) is required, and the record has none")
    }
  }

  private func check(_ link: LinkDraft, _ entity: EntityPlan) throws(Refusal) {
    let relationship = entity.relationships[link.relationship]
    let destination = plan.entities[relationship.destination]
    guard let children = link.children, let key = destination.key else { return }
    for child in children where childSlots[child] >= 0 {
      let known: ManagedObject?
      do throws(Refusal) { known = try resolved(childSlots[child], destination) } catch {
        throw error.under(relationship.paths.first?.text ?? relationship.name)
      }
      if known != nil || relationship.mapping.unknown != .refuse { continue }
      let ref = slots[childSlots[child]].ref
      if announced?.contains(ref) == true { continue }
      let value = ref.value
      throw Refusal(
        .importUnknown,
        "nothing has \(destination.entity.name).\(key.property.name) \(value.shown)"
      ).under(relationship.paths.first?.text ?? relationship.name)
    }
  }
}

extension String {
  /// Without the point at its end.
  fileprivate var trimmed: String { hasSuffix(".") ? String(dropLast()) : self }
}

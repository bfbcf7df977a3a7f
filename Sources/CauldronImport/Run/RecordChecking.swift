import CauldronGraph
import CauldronModel
import CauldronSave
import CauldronStore

/// Checks what can be known of a record before anything is set. Where no code of the program's own has a say,
/// that is all that can be wrong with it.
final class RecordChecking {
  private let state: ImportState
  private let keys: KeyFinding
  /// The required relationships of nested objects that lead to the object around them, by number.
  @exclusivity(unchecked) private(set) var ways: [Int: String] = [:]
  /// What is wrong with objects that are asked first whether they are to be imported, by number.
  @exclusivity(unchecked) private(set) var refusals: [Int: Refusal] = [:]

  init(_ state: ImportState, _ keys: KeyFinding) {
    self.state = state
    self.keys = keys
  }

  /// - Returns: Whether a key is that of objects of two entities, so that it has to be seen whether they can be
  ///   one.
  func check(_ record: RecordDraft) throws(Refusal) -> Bool {
    (ways, refusals) = ([:], [:])
    var isDoubtful = false
    noteWays(record)
    for index in record.objects {
      let draft = state.chunk.objects[index]
      do throws(Refusal) { try check(draft, at: index, isDoubtful: &isDoubtful) } catch {
        // What does not want to be imported is not refused for anything.
        guard state.asksClass(of: draft) else { throw error.under(draft.path) }
        refusals[index] = error
      }
    }
    return isDoubtful
  }

  /// Notes what of a nested object is set by whoever it is nested in.
  private func noteWays(_ record: RecordDraft) {
    if record.objects.count < 2 { return }
    for draft in state.chunk.objects[record.objects] {
      for link in state.chunk.links[draft.links] {
        let relationship = state.plan.entities[draft.plan].relationships[link.relationship]
        guard let way = relationship.requiredInverse else { continue }
        for child in link.children ?? 0..<0 {
          if case .object(let index) = state.chunk.children[child] {
            ways[index] = way
          }
        }
      }
    }
  }

  private func check(
    _ draft: ObjectDraft, at index: Int, isDoubtful: inout Bool
  ) throws(Refusal) {
    let entity = state.plan.entities[draft.plan]
    let known =
      state.known(index) == nil ? try keys.resolved(draft.key, in: entity) : state.known(index)
    if let known, !known.layout.isKind(of: entity.entity) {
      throw Refusal(known, isNo: entity.entity)
    }
    if let failure = draft.failure { throw failure }
    let isFirst =
      draft.key < 0 || keys.note(draft.key, in: entity, isRecord: true, isDoubtful: &isDoubtful)
    for value in state.chunk.values[draft.values] { try check(value, in: entity) }
    if known == nil, isFirst, !entity.mayFill {
      try checkIsComplete(draft, in: entity, sparing: ways[index])
    }
    for link in state.chunk.links[draft.links] {
      try check(link, in: entity, isDoubtful: &isDoubtful)
    }
  }

  private func check(_ value: ValueDraft, in entity: EntityPlan) throws(Refusal) {
    let attribute = entity.attributes[value.attribute]
    if value.scalar == nil, !attribute.isRequired { return }
    let scalar = value.scalar ?? attribute.fallback
    if scalar.isNull {
      guard attribute.isRequired, !attribute.isImported else { return }
      throw Refusal(
        .validationMissing, "\(entity.entity.name).\(attribute.name) is required, and null"
      )
      .under(value.path)
    }
    if attribute.rules.isEmpty { return }
    var scratch = RowBuilder()
    let row = scratch.set(
      attribute.index, scalar, of: scratch.begin(entity.entity, key: 0), entity.entity)
    for rule in attribute.rules {
      guard let failure = rule.failure(in: row) else { continue }
      let error = CauldronError.broken(failure, name: "\(entity.entity.name).\(attribute.name)")
      throw Refusal(error.code, error.message.trimmed).under(value.path)
    }
  }

  /// A new object has all that is required.
  /// - Parameter way: What is set by whoever the object is nested in.
  func checkIsComplete(
    _ draft: ObjectDraft, in entity: EntityPlan, sparing way: String?
  ) throws(Refusal) {
    for name in entity.lacks where name != way {
      let isSet = state.chunk.values[draft.values].contains {
        entity.attributes[$0.attribute].name == name
          && !($0.scalar ?? entity.attributes[$0.attribute].fallback).isNull
      }
      let isLinked = state.chunk.links[draft.links].contains {
        entity.relationships[$0.relationship].name == name && $0.children?.isEmpty == false
      }
      if isSet || isLinked || entity.imported.contains(name) { continue }
      throw Refusal(
        .validationMissing, "\(entity.entity.name).\(name) is required, and the record has none")
    }
  }

  private func check(
    _ link: LinkDraft, in entity: EntityPlan, isDoubtful: inout Bool
  ) throws(Refusal) {
    let relationship = entity.relationships[link.relationship]
    let destination = state.plan.entities[relationship.destination]
    guard let children = link.children, let key = destination.key else { return }
    for child in children {
      guard case .key(let slot) = state.chunk.children[child] else { continue }
      do throws(Refusal) {
        if try keys.target(at: slot, in: destination) == nil {
          try checkMayCome(state.chunk.keys[slot], by: key, to: destination, through: relationship)
          _ = keys.note(slot, in: destination, isRecord: false, isDoubtful: &isDoubtful)
        }
      } catch { throw error.under(link.path(of: child)) }
    }
  }

  /// What is not there may have to be in the file.
  func checkMayCome(
    _ ref: KeyRef, by key: KeyPlan, to destination: EntityPlan,
    through relationship: RelationshipPlan
  ) throws(Refusal) {
    if relationship.mapping.unknown != .refuse || state.announced?.contains(ref) == true { return }
    throw Refusal(
      .importUnknown,
      "nothing has \(destination.entity.name).\(key.shown(ref.value))")
  }
}

extension Refusal {
  /// An object of another entity has the key.
  init(_ object: ManagedObject, isNo entity: EntityLayout) {
    self.init(
      .importAmbiguous,
      "the object with this key is a \(object.layout.name) and no \(entity.name)")
  }
}

extension String {
  /// Without the point at its end.
  var trimmed: String { hasSuffix(".") ? String(dropLast()) : self }
}

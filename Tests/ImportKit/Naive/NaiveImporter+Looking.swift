import CauldronImport
import CauldronModel

extension NaiveImporter {
  /// Notes what is wrong with a record as things are before it does anything.
  mutating func look(at draft: NaiveDraft, _ seen: inout Set<KeyName>) {
    let known = resolved(draft.plan, draft.key)
    if known.count > 1 || known.contains(where: { !isKind($0, draft.plan.entity) }) {
      wrongs.insert(Wrong(pointer: draft.pointer, code: .importAmbiguous))
    }
    let isFirst = name(draft.plan, draft.key).map { seen.insert($0).inserted } ?? true
    if known.isEmpty, isFirst, isIncomplete(draft) {
      wrongs.insert(Wrong(pointer: draft.pointer, code: .validationMissing))
    }
    for value in draft.values where value.scalar == .null && value.attribute.isRequired {
      wrongs.insert(Wrong(pointer: value.pointer, code: .validationMissing))
    }
    for link in draft.links {
      let plan = rules.plan(link.relationship, of: draft.plan.entity)
      for child in link.children ?? [] {
        switch child {
        case .draft(let draft): look(at: draft, &seen)
        case .key(let value, let pointer):
          let known = resolved(plan, value)
          if known.count > 1 || known.contains(where: { !isKind($0, plan.family) }) {
            wrongs.insert(Wrong(pointer: pointer, code: .importAmbiguous))
          }
          let mapping = rules.mapping(link.relationship, draft.plan.entity)
          if known.isEmpty, mapping.unknown == .refuse, !isAnnounced(name(plan, value)) {
            wrongs.insert(Wrong(pointer: pointer, code: .importUnknown))
          }
        }
      }
    }
  }

  private func isIncomplete(_ draft: NaiveDraft) -> Bool {
    rules.misses(draft.plan).contains { name in
      !draft.values.contains { $0.attribute.name == name && $0.scalar != .null }
    }
  }
}

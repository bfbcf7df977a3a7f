import CauldronModel

/// Looks at relationships: whether they lead back, and whether their rules of deletion can hold.
struct RelationshipChecks {
  private let table: EntityTable

  init(_ table: EntityTable) { self.table = table }

  var findings: [ModelFinding] {
    table.ends.flatMap { end in [lead(end)].compactMap(\.self) + deletion(end) } + circles
  }

  // MARK: Inverses

  private func lead(_ end: EntityTable.End) -> ModelFinding? {
    let relationship = end.relationship
    guard table[relationship.destination] != nil else {
      return ModelFinding(
        .destination, at: end.place,
        message: "\(end.name) leads to \(relationship.destination), which is not in the model.",
        remedy: "Add the entity, or name another destination.")
    }
    guard let name = relationship.inverse else {
      return ModelFinding(
        .oneWay, at: end.place,
        message: "\(end.name) has no inverse: when the \(relationship.destination) is deleted, the"
          + " reference to it stays.",
        remedy: "Give \(relationship.destination) a relationship that leads back.")
    }
    guard let inverse = table.inverse(of: end) else {
      return astray(
        end,
        because: "the inverse of \(end.name) is \(relationship.destination).\(name), which is no"
          + " relationship.")
    }
    let back = inverse.relationship
    if !meets(back.destination, with: end.entity) {
      return astray(
        end, because: "\(inverse.name), the inverse of \(end.name), leads to \(back.destination).")
    }
    if let other = back.inverse, other != relationship.name {
      return astray(
        end, because: "\(inverse.name), the inverse of \(end.name), has \(other) for its inverse.")
    }
    return nil
  }

  private func astray(_ end: EntityTable.End, because message: String) -> ModelFinding {
    ModelFinding(
      .inverse, at: end.place, message: message.prefix(1).uppercased() + message.dropFirst(),
      remedy: "Have each name the other, or give \(end.name) another inverse.")
  }

  /// Whether one of two entities is the other, or below it.
  private func meets(_ one: String, with other: String) -> Bool {
    table.family(of: one).contains { $0.name == other }
      || table.family(of: other).contains { $0.name == one }
  }

  // MARK: Rules of deletion

  private func deletion(_ end: EntityTable.End) -> [ModelFinding] {
    guard let inverse = table.inverse(of: end) else { return [] }
    let (rule, back) = (end.relationship.deleteRule, inverse.relationship)
    // A pair is told once.
    let isFirst = end.name <= inverse.name
    switch (rule, back.deleteRule) {
    case (.deny, .deny): return isFirst ? [denied(end, with: inverse)] : []
    case (.cascade, .cascade): return isFirst ? [mutual(end, with: inverse)] : []
    case (.noAction, _): return [dangling(end, with: inverse)]
    case (.nullify, _): return emptied(end, with: inverse).map { [$0] } ?? []
    default: return []
    }
  }

  private func denied(_ end: EntityTable.End, with inverse: EntityTable.End) -> ModelFinding {
    let pair = end.name == inverse.name ? end.name : "\(end.name) and \(inverse.name)"
    return ModelFinding(
      .denyBoth, at: end.place,
      message: "\(pair) deny on both sides: objects that are linked can never be deleted.",
      remedy: "Let one of them nullify or cascade.")
  }

  private func mutual(_ end: EntityTable.End, with inverse: EntityTable.End) -> ModelFinding {
    let isWide = end.relationship.isToMany || inverse.relationship.isToMany
    let effect =
      isWide
      ? "deleting one object deletes all that are linked to it, near or far"
      : "each is deleted with the other"
    let pair = end.name == inverse.name ? end.name : "\(end.name) and \(inverse.name)"
    let finding = ModelFinding(
      .cascadeCircle, at: end.place, message: "\(pair) cascade on both sides: \(effect).",
      remedy: "Let one of them nullify, unless that is meant.")
    return isWide ? finding : finding.asNote
  }

  private func dangling(_ end: EntityTable.End, with inverse: EntityTable.End) -> ModelFinding {
    ModelFinding(
      .dangling, at: end.place,
      message:
        "\(end.name) has the rule No Action: when the \(end.entity) is deleted, \(inverse.name)"
        + " leads to an object that is gone.",
      remedy: "Let \(end.name) nullify, cascade or deny.")
  }

  private func emptied(_ end: EntityTable.End, with inverse: EntityTable.End) -> ModelFinding? {
    let back = inverse.relationship
    guard !back.isOptional, !back.isToMany || back.minCount > 0 else { return nil }
    let finding = ModelFinding(
      .nullifyRequired, at: end.place,
      message: back.isToMany
        ? "\(end.name) nullifies: deleting the \(end.entity) takes it out of \(inverse.name), which needs"
          + " at least \(back.minCount)."
        : "\(end.name) nullifies: deleting the \(end.entity) sets \(inverse.name) to nil, which is"
          + " required, and the save fails.",
      remedy: "Let \(end.name) cascade or deny, or make \(inverse.name) optional.")
    return back.isToMany ? finding.asNote : finding
  }

  /// Cascades that come back to where they began, through three entities or more, or by other relationships.
  private var circles: [ModelFinding] {
    let ways = Dictionary(grouping: table.ends.filter(isOneSided), by: \.entity)
    var told: Set<Set<String>> = []
    return ways.keys.sorted().compactMap { start in
      guard let circle = circle(from: start, along: ways),
        told.insert(Set(circle.map(\.name))).inserted
      else { return nil }
      let names = circle.map(\.name).joined(separator: ", ")
      return ModelFinding(
        .cascadeCircle, at: circle[0].place,
        message: "\(names) cascade in a circle: deleting one \(start) may delete another.",
        remedy: "Let one of them nullify, unless that is meant.")
    }
  }

  /// Whether a relationship cascades to another entity, and its inverse does not.
  private func isOneSided(_ end: EntityTable.End) -> Bool {
    end.relationship.deleteRule == .cascade && end.relationship.destination != end.entity
      && table.inverse(of: end)?.relationship.deleteRule != .cascade
  }

  /// The shortest way of cascades from an entity back to it.
  private func circle(
    from start: String, along ways: [String: [EntityTable.End]]
  ) -> [EntityTable.End]? {
    var open: [[EntityTable.End]] = (ways[start] ?? []).map { [$0] }
    var seen: Set<String> = []
    while !open.isEmpty {
      let way = open.removeFirst()
      guard let last = way.last?.relationship.destination else { continue }
      if last == start { return way }
      guard seen.insert(last).inserted else { continue }
      open += (ways[last] ?? []).map { way + [$0] }
    }
    return nil
  }
}

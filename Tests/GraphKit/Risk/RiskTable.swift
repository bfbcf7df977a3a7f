package import Cauldron

/// The table of conflicts that the naive model decides by. It is told once more in the article "Conflicts".
package enum RiskTable {
  package enum Case { case property, theirDeletion, ownDeletion, bothDeleted }

  package enum Outcome {
    case conflict
    /// The other side's values, and its deletion.
    case theirs
    case mine
    /// Mine, with every other property as the object shows it.
    case whole
    /// All edits of the object are dropped.
    case nothing
  }

  package static let policies: [MergePolicy] = [
    .error, .strict, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]

  private static let rows: [Case: [Outcome]] = [
    .property: [.conflict, .conflict, .theirs, .mine, .whole, .nothing],
    .theirDeletion: [.conflict, .conflict, .theirs, .mine, .whole, .theirs],
    .ownDeletion: [.conflict, .conflict, .theirs, .mine, .mine, .theirs],
    .bothDeleted: [.conflict, .conflict, .theirs, .theirs, .theirs, .theirs],
  ]

  package static func outcome(_ row: Case, _ policy: MergePolicy) -> Outcome {
    rows[row]?[policies.firstIndex(of: policy) ?? 0] ?? .conflict
  }
}

/// What comes of the save of one level.
struct RiskPush {
  /// What the receiver gets.
  var accepted: [Int: RiskChange] = [:]
  /// The objects in conflict, and the properties.
  var conflicts: [Int: Set<RiskProperty>] = [:]
  /// The objects that a policy brings back.
  var restored: Set<Int> = []
  /// The objects that a policy has kept with a cascade.
  var kept: Set<Int> = []
  /// The objects of which a policy has decided something.
  var decided: Set<Int> = []
  let policy: MergePolicy

  init(_ policy: MergePolicy) { self.policy = policy }

  /// - Parameters:
  ///   - theirs: What the receiver has; nil where it has deleted the object.
  ///   - shown: What the object shows.
  ///   - deleted: What a deletion above that is not saved was made from.
  ///   - shared: The properties that were edited by several contexts.
  mutating func decide(
    _ object: Int, _ change: RiskChange, theirs: RiskRow?, shown: RiskRow,
    deleted: RiskRow? = nil, shared: Set<RiskProperty> = []
  ) {
    switch (change.kind, theirs) {
    case (.inserted, nil): accepted[object] = change
    // What a policy has brought back is an edit where a row lies below.
    case (.inserted, let theirs?): accepted[object] = Self.edit(change, theirs)
    case (.deleted, nil): decideBothDeleted(object)
    case (.deleted, let theirs?): decideDeletion(object, change, theirs)
    case (.updated, nil): decideTheirDeletion(object, change, shown, deleted ?? shown)
    case (.updated, let theirs?): decideEdits(object, change, theirs, shown, shared)
    }
  }

  /// Whether an edit stays one that a policy has decided for, and that is equal to theirs.
  private func stays(_ property: RiskProperty, _ shared: Set<RiskProperty>) -> Bool {
    property.back != nil || shared.contains(property)
  }

  /// The edits that make one row of another.
  static func difference(_ row: RiskRow, _ theirs: RiskRow) -> RiskChange {
    var change = RiskChange(kind: .updated, first: theirs)
    for property in RiskProperty.allCases where row[property] != theirs[property] {
      change.edits[property] = RiskEdit(was: theirs[property], mine: row[property])
    }
    return change
  }

  /// What an insertion by which a policy brings an object back is where a row lies below.
  static func edit(_ insertion: RiskChange, _ theirs: RiskRow) -> RiskChange {
    var change = difference(insertion.row, theirs)
    if insertion.edits.isEmpty { return change }
    change.edits = change.edits.filter { insertion.edits[$0.key] != nil }
    // An edit was made of what the object showed then, which may have changed below.
    for (property, edit) in insertion.edits where edit.was != theirs[property] {
      change.edits[property] = RiskEdit(was: edit.was, mine: insertion.row[property])
    }
    return change
  }

  private mutating func decideBothDeleted(_ object: Int) {
    decided.insert(object)
    if RiskTable.outcome(.bothDeleted, policy) == .conflict { conflicts[object] = [] }
  }

  private mutating func decideDeletion(_ object: Int, _ change: RiskChange, _ theirs: RiskRow) {
    let met = RiskProperty.allCases.filter { theirs[$0] != change.row[$0] }
    let deletion = RiskChange(kind: .deleted, row: theirs)
    if met.isEmpty {
      accepted[object] = deletion
      return
    }
    decided.insert(object)
    switch RiskTable.outcome(.ownDeletion, policy) {
    case .conflict: conflicts[object] = Set(met)
    case .mine: accepted[object] = deletion
    default: return
    }
  }

  private mutating func decideTheirDeletion(
    _ object: Int, _ change: RiskChange, _ shown: RiskRow, _ deleted: RiskRow
  ) {
    let edited = change.edits.filter { !$0.value.isCleared }
    if edited.isEmpty { return }
    decided.insert(object)
    switch RiskTable.outcome(.theirDeletion, policy) {
    case .conflict: conflicts[object] = Set(edited.keys)
    case .mine:
      // Where the row lies below an unsaved deletion, the edits alone are made again.
      accepted[object] = RiskChange(kind: .inserted, row: shown, edits: edited)
      restored.insert(object)
    case .whole:
      var all = edited
      for property in RiskProperty.allCases where shown[property] != deleted[property] {
        all[property] = RiskEdit(was: deleted[property], mine: shown[property])
      }
      accepted[object] = RiskChange(kind: .inserted, row: shown, edits: all)
      restored.insert(object)
    default: return
    }
  }

  private mutating func decideEdits(
    _ object: Int, _ change: RiskChange, _ theirs: RiskRow, _ shown: RiskRow,
    _ shared: Set<RiskProperty>
  ) {
    var edits = change.edits.filter { !$0.value.isCleared || theirs[$0.key] == $0.value.was }
    let met = edits.filter { theirs[$0.key] != $0.value.was }.keys
    let differing =
      policy == .strict
      ? Set(RiskProperty.allCases.filter { theirs[$0] != change.first[$0] }) : Set(met)
    if !differing.isEmpty {
      decided.insert(object)
      switch RiskTable.outcome(.property, policy) {
      case .conflict: conflicts[object] = differing
      case .theirs: for property in met { edits[property] = nil }
      case .whole:
        var change = Self.difference(shown, theirs)
        for property in edits.keys
        where stays(property, shared) && edits[property]?.mine == theirs[property] {
          change.edits[property] = RiskEdit(was: theirs[property], mine: theirs[property])
        }
        accepted[object] = change
        return
      case .nothing: return
      case .mine:
        // What both sides have made equal is no edit of one of them any more, but for ends of links, which
        // are decided together. Of what was edited twice the first edit is another value.
        for property in met where edits[property]?.mine == theirs[property] {
          if !stays(property, shared) { edits[property] = nil }
        }
      }
    }
    for property in edits.keys { edits[property]?.was = theirs[property] }
    accepted[object] = RiskChange(kind: .updated, edits: edits, first: theirs)
  }
}

extension RiskOracle {
  /// Decides what the save of a level ends with, and changes nothing.
  func push(_ place: RiskPlace, _ policy: MergePolicy, shown: [Int: RiskRow]) -> RiskPush {
    var push = RiskPush(policy)
    for (object, change) in layers[place]?.changes ?? [:] {
      let row = shown[object] ?? row(object, place) ?? change.row
      push.decide(
        object, change, theirs: below(object, place), shown: row,
        deleted: deletedRow(object, above: place), shared: shared(object, place))
    }
    keepCascades(&push, place)
    let pairs = RiskPairs(layers[place] ?? RiskLayer())
    pairs.decide(&push, self, place)
    return push
  }

  /// What the nearest unsaved deletion of an object was made from.
  private func deletedRow(_ object: Int, above place: RiskPlace) -> RiskRow? {
    setup.chain(place).dropFirst().compactMap { change(object, $0) }.first { $0.kind == .deleted }?
      .row
  }

  /// A policy that keeps one object of a cascade keeps the cascade.
  private func keepCascades(_ push: inout RiskPush, _ place: RiskPlace) {
    guard push.conflicts.isEmpty else { return }
    let deletions = (layers[place]?.changes ?? [:]).filter { $0.value.kind == .deleted }
    for (sheet, deletion) in deletions {
      guard let binder = deletion.row[.binder], deletions[binder] != nil else { continue }
      let kept = [sheet, binder].contains { push.accepted[$0] == nil && below($0, place) != nil }
      if !kept { continue }
      push.kept.formUnion([sheet, binder])
    }
    for (sheet, deletion) in deletions where deletion.row[.binder].map(push.kept.contains) == true {
      push.kept.insert(sheet)
    }
    for object in push.kept { push.accepted[object] = nil }
    push.decided.formUnion(push.kept)
  }

  /// Hands to the parent, or the file, what was accepted.
  mutating func accept(_ push: RiskPush, from place: RiskPlace) {
    let names = layers[place]?.names ?? []
    layers[place] = nil
    if let parent = setup.parent(of: place), !push.accepted.isEmpty {
      layers[parent, default: .init()].names.formUnion(names)
    }
    for (object, change) in push.accepted {
      guard let parent = setup.parent(of: place) else {
        write(object, change)
        continue
      }
      take(object, change, parent)
      layers[parent]?.brought.insert(object)
    }
  }

  /// Takes an edit that a context without a place of its own has saved into another one.
  mutating func bring(_ change: RiskChange, _ object: Int, into place: RiskPlace) {
    take(object, change, place)
    layers[place]?.brought.insert(object)
  }

  private mutating func write(_ object: Int, _ change: RiskChange) {
    switch change.kind {
    case .inserted: file[object] = change.row
    case .deleted: file[object] = nil
    case .updated:
      for (property, edit) in change.edits { file[object]?[property] = edit.mine }
    }
  }

  /// A deletion that is overruled is given up with the references that it has cleared.
  private mutating func withdrawDeletion(of object: Int, _ place: RiskPlace) {
    for (other, change) in layers[place]?.changes ?? [:] where change.kind == .updated {
      var rest = change
      rest.edits = change.edits.filter { !($0.value.isCleared && $0.value.was == object) }
      if rest != change { put(rest, other, place) }
    }
  }

  private mutating func take(_ object: Int, _ change: RiskChange, _ parent: RiskPlace) {
    layers[parent, default: .init()].broughtValues[object, default: []]
      .formUnion(change.edits.keys)
    guard let own = self.change(object, parent) else {
      if change.kind != .updated || !change.edits.isEmpty { put(change, object, parent) }
      return
    }
    defer { layers[parent]?.ownDeletions.remove(object) }
    switch (own.kind, change.kind) {
    case (.inserted, .updated):
      var own = own
      for (property, edit) in change.edits {
        own.row[property] = edit.mine
        if !own.edits.isEmpty { own.edits[property] = edit }
      }
      put(own, object, parent)
    case (.inserted, .deleted) where below(object, parent) == nil:
      layers[parent]?.changes[object] = nil
      annulled.insert(object)
    case (.updated, .updated):
      for (property, edit) in change.edits {
        let first = RiskRow(uniqueKeysWithValues: edit.was.map { [(property, $0)] } ?? [])
        self.edit(
          object, property, to: edit.mine, shown: first, parent, isCleared: edit.isCleared,
          isOwn: false)
      }
    case (.updated, .deleted):
      var base = change.row
      for (property, edit) in own.edits { base[property] = edit.was }
      put(RiskChange(kind: .deleted, row: base), object, parent)
    case (.deleted, .inserted):
      guard let below = below(object, parent) else { return put(change, object, parent) }
      withdrawDeletion(of: object, parent)
      var restored = RiskPush.edit(change, below)
      let brought = layers[parent]?.broughtValues[object] ?? []
      for (property, edit) in own.edits where restored.edits[property] == nil {
        // What the child has not seen of the context's own edits goes with the deletion.
        guard brought.contains(property) || change.row[property] == edit.mine else { continue }
        restored.edits[property] = edit
      }
      layers[parent]?.broughtValues[object, default: []].formUnion(restored.edits.keys)
      put(restored, object, parent)
    default: put(change, object, parent)
    }
  }
}

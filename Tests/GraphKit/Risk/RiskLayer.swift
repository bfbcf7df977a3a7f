/// An edit of one property: what is to be saved, and what the object showed before.
struct RiskEdit: Equatable {
  var was: Int?
  var mine: Int?
  /// Whether a delete rule has cleared a reference, which is no edit.
  var isCleared = false
}

/// What a context has done to one object and not saved.
struct RiskChange: Equatable {
  enum Kind { case inserted, updated, deleted }

  var kind: Kind
  /// The row of an insertion, or the one that a deletion was made from.
  var row: RiskRow = [:]
  /// What was edited; of an insertion by which a policy brings an object back, what is an edit where a row
  /// lies below: nothing means the whole row.
  var edits: [RiskProperty: RiskEdit] = [:]
  /// The whole row that the object showed at its first edit.
  var first: RiskRow = [:]
}

/// What a context has not saved.
struct RiskLayer: Equatable {
  var changes: [Int: RiskChange] = [:]
  /// The objects of which children have saved something into the context.
  var brought: Set<Int> = []
  /// The properties of which children have saved values into the context.
  var broughtValues: [Int: Set<RiskProperty>] = [:]
  /// The properties that the context has edited itself.
  var ownValues: [Int: Set<RiskProperty>] = [:]
  /// The objects that the context has edited itself.
  var own: Set<Int> = []
  /// The objects that the context has deleted itself: what a child brings back has these deletions end.
  var ownDeletions: Set<Int> = []
  /// Whether the context has changed anything itself.
  var isEdited = false
  /// The names that were given, also those that were taken away again.
  var names: Set<Int> = []
  /// Former and new partners of ends whose edits were rebased: they hang together until the next save, also
  /// where these edits come to nothing.
  var partners: [[Int]] = []
}

/// What contexts show, as dictionaries: the changes of each on top of what its parent shows.
struct RiskOracle {
  let setup: RiskSetup
  var file: [Int: RiskRow] = [:]
  var layers: [RiskPlace: RiskLayer] = [:]
  private(set) var kinds: [RiskKind] = []
  /// The objects that were deleted before anybody had saved them.
  var annulled: Set<Int> = []

  init(_ setup: RiskSetup) { self.setup = setup }

  mutating func make(_ kind: RiskKind) -> Int {
    kinds.append(kind)
    return kinds.count - 1
  }

  /// What a context fetches; nil where there is no such object.
  func row(_ object: Int, _ place: RiskPlace?) -> RiskRow? {
    guard let place else { return file[object] }
    let below = row(object, setup.parent(of: place))
    guard let change = layers[place]?.changes[object] else { return below }
    switch change.kind {
    case .inserted where change.edits.isEmpty || below == nil: return change.row
    case .deleted: return nil
    case .inserted, .updated:
      guard var row = below else { return nil }
      for (property, edit) in change.edits { row[property] = edit.mine }
      return row
    }
  }

  func below(_ object: Int, _ place: RiskPlace) -> RiskRow? {
    row(object, setup.parent(of: place))
  }

  func living(_ kind: RiskKind, _ place: RiskPlace?) -> [Int] {
    kinds.indices.filter { kinds[$0] == kind && row($0, place) != nil }
  }

  func members(of owner: Int, _ property: RiskProperty, _ place: RiskPlace?) -> [Int] {
    kinds.indices.filter { row($0, place)?[property] == owner }
  }

  func change(_ object: Int, _ place: RiskPlace) -> RiskChange? {
    layers[place]?.changes[object]
  }

  func hasChanges(_ place: RiskPlace) -> Bool { layers[place]?.changes.isEmpty == false }

  /// Whether no context that a place does not see has done anything to an object.
  func isFree(_ object: Int, _ place: RiskPlace) -> Bool {
    let chain = setup.chain(place)
    return setup.places.allSatisfy { chain.contains($0) || change(object, $0) == nil }
  }

  mutating func insert(_ object: Int, _ row: RiskRow, _ place: RiskPlace) {
    layers[place, default: .init()].changes[object] = RiskChange(kind: .inserted, row: row)
    layers[place]?.isEdited = true
  }

  /// Notes an edit; what is set back to what it was is none, where the parent has the same, and no child's
  /// save has come between.
  /// - Parameters:
  ///   - isRestated: Whether an end of a link shows the value already, and counts as edited.
  ///   - isOwn: Whether it is the context's own, and not a child's.
  mutating func edit(
    _ object: Int, _ property: RiskProperty, to value: Int?, shown: RiskRow, _ place: RiskPlace,
    isCleared: Bool = false, isRestated: Bool = false, isOwn: Bool = true
  ) {
    if isOwn { layers[place, default: .init()].ownValues[object, default: []].insert(property) }
    var change = self.change(object, place) ?? RiskChange(kind: .updated, first: shown)
    if change.kind == .inserted {
      change.row[property] = value
      if !change.edits.isEmpty {
        change.edits[property] = RiskEdit(was: shown[property], mine: value)
      }
    } else {
      var edit = change.edits[property] ?? RiskEdit(was: shown[property], isCleared: isCleared)
      edit.mine = value
      edit.isCleared = edit.isCleared && isCleared
      let isEdit =
        edit.mine != edit.was || isRestated || below(object, place)?[property] != edit.was
        || isBrought(object, property, place)
      change.edits[property] = isEdit ? edit : nil
    }
    if property == .name, let value { layers[place, default: .init()].names.insert(value) }
    put(change, object, place)
  }

  /// The properties of which both the context and its children have made edits.
  func shared(_ object: Int, _ place: RiskPlace) -> Set<RiskProperty> {
    let layer = layers[place]
    return (layer?.broughtValues[object] ?? []).intersection(layer?.ownValues[object] ?? [])
  }

  /// Whether children have saved values of a property into a context.
  private func isBrought(_ object: Int, _ property: RiskProperty, _ place: RiskPlace) -> Bool {
    layers[place]?.broughtValues[object]?.contains(property) == true
  }

  mutating func put(_ change: RiskChange, _ object: Int, _ place: RiskPlace) {
    let isEmpty = change.kind == .updated && change.edits.isEmpty
    layers[place, default: .init()].changes[object] = isEmpty ? nil : change
  }

  /// Deletes one object, and does what the delete rules say.
  /// - Parameter shown: What the objects show that are concerned.
  mutating func delete(_ object: Int, _ place: RiskPlace, shown: [Int: RiskRow]) {
    let sheets = members(of: object, .binder, place)
    let parts = members(of: object, .holder, place)
    let change = self.change(object, place)
    var base = shown[object] ?? row(object, place) ?? [:]
    if change?.kind == .updated {
      for (property, edit) in change?.edits ?? [:] { base[property] = edit.was }
    }
    if change?.kind == .inserted, below(object, place) == nil {
      layers[place]?.changes[object] = nil
      annulled.insert(object)
    } else {
      // What was changed before is there again should the deletion be overruled.
      layers[place, default: .init()].changes[object] = RiskChange(
        kind: .deleted, row: base, edits: change?.kind == .updated ? change?.edits ?? [:] : [:])
      layers[place]?.ownDeletions.insert(object)
    }
    for sheet in sheets { delete(sheet, place, shown: shown) }
    for part in parts { clear(part, .holder, shown, place) }
    for property in [RiskProperty.guest, .seat] {
      for partner in members(of: object, property, place) { clear(partner, property, shown, place) }
    }
  }

  /// Has an object whose deletion was taken back lead to nothing that the context deletes still.
  mutating func clearDeleted(_ object: Int, _ place: RiskPlace) {
    guard let row = row(object, place) else { return }
    for (property, target) in row where property == .holder {
      guard change(target, place)?.kind == .deleted else { continue }
      edit(object, property, to: nil, shown: row, place, isCleared: true)
    }
  }

  private mutating func clear(
    _ object: Int, _ property: RiskProperty, _ shown: [Int: RiskRow], _ place: RiskPlace
  ) {
    let row = shown[object] ?? self.row(object, place) ?? [:]
    edit(object, property, to: nil, shown: row, place, isCleared: true)
  }

  /// Makes the newest values what the edits of an object were made from: mine stands. An edit that equals them is
  /// none any more; nor is one of the other end of a link.
  mutating func refresh(_ object: Int, _ place: RiskPlace) {
    guard var change = change(object, place), change.kind == .updated,
      let below = below(object, place)
    else { return }
    var ended: [(partner: Int, end: RiskProperty)] = []
    for (property, edit) in change.edits {
      join(edit, of: property, place)
      change.edits[property]?.was = below[property]
      if edit.mine == below[property], !isBrought(object, property, place) {
        change.edits[property] = nil
        if let partner = edit.mine, let back = property.back { ended.append((partner, back)) }
      }
    }
    change.first = below
    put(change, object, place)
    for (partner, end) in ended { endSavedElsewhere(partner, end, leadingTo: object, place) }
  }

  /// The partners of an end hang together, also when it is no edit any more.
  private mutating func join(_ edit: RiskEdit, of property: RiskProperty, _ place: RiskPlace) {
    guard property.back != nil, let was = edit.was, let mine = edit.mine, was != mine else {
      return
    }
    layers[place]?.partners.append([was, mine])
  }

  /// Ends the edit of an end that another save has led to the same partner.
  private mutating func endSavedElsewhere(
    _ object: Int, _ end: RiskProperty, leadingTo partner: Int, _ place: RiskPlace
  ) {
    guard var change = change(object, place), let edit = change.edits[end],
      edit.mine == partner, below(object, place)?[end] == partner,
      !isBrought(object, end, place)
    else { return }
    join(edit, of: end, place)
    change.edits[end] = nil
    put(change, object, place)
  }
}

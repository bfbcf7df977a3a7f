import Cauldron

/// The one-to-one ends of a save: they are decided by units, which are the ends that were edited together.
struct RiskPairs {
  private var leaders: [Int: Int] = [:]
  /// The edited ends, by object.
  private var ends: [Int: (property: RiskProperty, edit: RiskEdit)] = [:]
  private let layer: RiskLayer

  /// - Parameter isRefresh: Whether they are refreshed, and not saved.
  init(_ layer: RiskLayer, isRefresh: Bool = false) {
    self.layer = layer
    if isRefresh { for pair in layer.partners { join(pair[0], pair[1]) } }
    for (object, change) in layer.changes where change.kind == .updated {
      for (property, edit) in change.edits where property.back != nil && !edit.isCleared {
        ends[object] = (property, edit)
        for partner in [edit.was, edit.mine].compactMap({ $0 }) { join(object, partner) }
      }
    }
  }

  var isEmpty: Bool { ends.isEmpty }

  private func leader(_ object: Int) -> Int {
    guard let next = leaders[object], next != object else { return object }
    return leader(next)
  }

  private mutating func join(_ a: Int, _ b: Int) { leaders[leader(a)] = leader(b) }

  /// The objects whose ends were edited with those of others.
  func unit(of objects: Set<Int>) -> Set<Int> {
    let wanted = Set(objects.filter { ends[$0] != nil }.map(leader))
    return Set(ends.keys.filter { wanted.contains(leader($0)) })
  }

  /// Whether one of some objects showed a partner at its first edit that led elsewhere, as one end that is
  /// read at another time may: which edits hang together is another matter then.
  func beganHalf(_ objects: Set<Int>) -> Bool {
    objects.contains { object in
      guard let partner = ends[object]?.edit.was, let back = ends[partner]?.edit else {
        return false
      }
      return back.was != object
    }
  }

  /// Has a policy's decision about one end be that of its unit.
  func decide(_ push: inout RiskPush, _ oracle: RiskOracle, _ place: RiskPlace) {
    let conflicting = Set(
      ends.filter { object, end in
        oracle.below(object, place)?[end.property] != end.edit.was
      }.keys)
    let lonely = lonely(oracle, place)
    switch push.policy {
    case .mergeByPropertyStoreTrump: drop(unit(of: conflicting.union(lonely)), &push)
    case .rollback:
      for object in conflicting { push.accepted[object] = nil }
      drop(unit(of: push.decided.union(lonely)), &push)
    case .mergeByPropertyObjectTrump, .overwrite:
      followEdits(&push, oracle, place)
      makeWhole(&push, oracle, place)
    default: break
    }
    leaveFormer(&push, oracle, place)
  }

  /// The objects that were led to partners which lead elsewhere, and have no edit.
  private func lonely(_ oracle: RiskOracle, _ place: RiskPlace) -> Set<Int> {
    Set(
      ends.filter { object, end in
        guard let back = end.property.back, let mine = end.edit.mine else { return false }
        guard !isTouched(mine, at: back), let row = oracle.below(mine, place) else { return false }
        return row[back] != object
      }.keys)
  }

  /// Has the partners that ends were led away from, and that have no edit, lead there no more.
  private func leaveFormer(_ push: inout RiskPush, _ oracle: RiskOracle, _ place: RiskPlace) {
    for (object, end) in ends {
      guard let back = end.property.back,
        let edit = push.accepted[object]?.edits[end.property],
        let theirs = oracle.below(object, place)?[end.property], theirs != edit.mine,
        !isTouched(theirs, at: back), content(theirs, back, push, oracle, place) == object
      else { continue }
      let isKnown = push.decided.contains(theirs)
      set(theirs, back, nil, &push, oracle, place)
      if !isKnown { push.decided.remove(theirs) }
    }
  }

  private func isTouched(_ object: Int, at end: RiskProperty) -> Bool {
    guard let change = layer.changes[object] else { return false }
    return change.kind != .updated || change.edits[end] != nil
  }

  private func drop(_ objects: Set<Int>, _ push: inout RiskPush) {
    push.decided.formUnion(objects)
    for object in objects {
      guard let end = ends[object] else { continue }
      push.accepted[object]?.edits[end.property] = nil
    }
  }

  /// An end that is written with its whole object, and that the save did not edit, follows the edits of its
  /// partners.
  private func followEdits(_ push: inout RiskPush, _ oracle: RiskOracle, _ place: RiskPlace) {
    func isTaken(_ partner: Int?, from object: Int) -> Bool {
      partner.flatMap { ends[$0] }.map { $0.edit.mine != object } ?? false
    }
    for (object, change) in push.accepted where ends[object] == nil {
      for (property, edit) in change.edits where property.back != nil && !edit.isCleared {
        if !isTaken(edit.mine, from: object) { continue }
        let theirs = oracle.below(object, place)?[property]
        push.accepted[object]?.edits[property] = nil
        if isTaken(theirs, from: object) { set(object, property, nil, &push, oracle, place) }
      }
    }
  }

  /// Whatever an end of the receiver leads to that was led elsewhere is left alone.
  private func makeWhole(_ push: inout RiskPush, _ oracle: RiskOracle, _ place: RiskPlace) {
    let made = push.accepted.sorted { $0.key < $1.key }
      .flatMap { object, change in
        change.edits.filter { $0.key.back != nil && !$0.value.isCleared }
          .map { (object, $0.key, $0.value.mine) }
      }
    for (object, property, mine) in made {
      guard let back = property.back,
        content(object, property, push, oracle, place) == mine
      else { continue }
      let theirs = oracle.below(object, place)?[property]
      if let theirs, theirs != mine, content(theirs, back, push, oracle, place) == object {
        set(theirs, back, nil, &push, oracle, place)
      }
      if let mine {
        let rival = oracle.below(mine, place)?[back]
        if let rival, rival != object, content(rival, property, push, oracle, place) == mine {
          set(rival, property, nil, &push, oracle, place)
        }
        set(mine, back, object, &push, oracle, place)
      }
    }
  }

  private func content(
    _ object: Int, _ property: RiskProperty, _ push: RiskPush, _ oracle: RiskOracle,
    _ place: RiskPlace
  ) -> Int? {
    if let edit = push.accepted[object]?.edits[property] { return edit.mine }
    return oracle.below(object, place)?[property]
  }

  private func set(
    _ object: Int, _ property: RiskProperty, _ value: Int?, _ push: inout RiskPush,
    _ oracle: RiskOracle, _ place: RiskPlace
  ) {
    guard let below = oracle.below(object, place),
      content(object, property, push, oracle, place) != value
    else { return }
    push.decided.insert(object)
    var change = push.accepted[object] ?? RiskChange(kind: .updated, first: below)
    change.edits[property] = RiskEdit(was: below[property], mine: value)
    push.accepted[object] = change
  }
}

extension RiskOracle {
  /// Whether a context has a link that one end knows of, and the other one not.
  func hasHalves(_ place: RiskPlace?) -> Bool {
    kinds.indices.contains { object in
      guard let row = row(object, place) else { return false }
      return [RiskProperty.guest, .seat].contains { end in
        guard let partner = row[end], let back = end.back else { return false }
        return self.row(partner, place)?[back] != object
      }
    }
  }
}

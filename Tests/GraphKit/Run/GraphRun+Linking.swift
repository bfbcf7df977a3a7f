import Cauldron

extension GraphRun {
  /// Sets a reference, from either side, or clears it.
  mutating func setReference(_ op: Operation, _ context: ManagedObjectContext) {
    let references = GraphReference.allCases
    let reference = references[op[3] / 3 % references.count]
    guard let member = pick(reference.member, op[1]), let owner = pick(reference.owner, op[2]),
      let x = object(member, context), let y = object(owner, context),
      let back = GraphEnd(y, reference.inverse)
    else { return }
    // A one-way relationship has but one side.
    let forward = GraphEnd(x, reference.property)
    let count = references.count
    let cell = GraphCell.reference(reference, member)
    let before = oracle.reference(cell, place)
    let isClearing = op[3] / (3 * count) % 4 == 3
    // What must have one seldom goes without.
    if isClearing, reference == .home {
      guard op[3] / (12 * count) % 4 == 0, oracle.isFree([(.value(member), nil)], place) else {
        return
      }
    }
    if isClearing ? before != owner : before == owner && reference.isOrdered { return }
    let owners = reference.isOrdered ? [before, owner].compactMap { $0 } : []
    let lists = Set(owners.map { GraphList(property: reference.inverse, owner: $0) })
    guard lists.allSatisfy({ oracle.order($0, place) != nil }),
      note([(cell, isClearing ? nil : owner)], touching: [owner] + (before.map { [$0] } ?? []))
    else { return }
    touched.formUnion(before.map { [$0] } ?? [])
    follow(lists, member, joins: isClearing ? nil : owner)
    switch (isClearing, op[3] / (12 * count) % 2 == 0 ? forward : nil) {
    case (true, let forward?): forward.assign([])
    case (true, nil): back.remove(x)
    case (false, let forward?): forward.insert(y)
    case (false, nil): back.insert(x)
    }
  }

  /// Takes a node out of lists, and puts it at the end of one.
  private mutating func follow(_ lists: Set<GraphList>, _ node: Int, joins owner: Int?) {
    for list in lists {
      var objects = (oracle.order(list, place) ?? []).filter { $0 != node }
      if list.owner == owner { objects.append(node) }
      oracle.arrange(list, objects, place)
    }
  }

  /// Links a node and something else, from either side, or takes the link away.
  mutating func setLink(_ op: Operation, _ context: ManagedObjectContext) {
    let count = GraphLink.allCases.count
    let link = GraphLink.allCases[op[3] / 3 % count]
    guard var a = pick(.node, op[1]), var b = pick(link.other, op[2]),
      let x = object(a, context), let y = object(b, context),
      let forward = GraphEnd(x, link.property), let back = GraphEnd(y, link.inverse)
    else { return }
    // Friends are friends of one another: one fact tells both.
    if link == .friends { (a, b) = (min(a, b), max(a, b)) }
    let isLinked = oracle.isLinked(link, a, b, place)
    let isCut = op[3] / (3 * count) % 3 == 2
    if isLinked != isCut { return }
    let list = GraphList(property: .ranking, owner: b)
    if link == .ranking {
      guard let order = oracle.order(list, place),
        note([(.link(link, a, b), isCut ? 0 : 1)], touching: [a, b])
      else { return }
      oracle.arrange(list, isCut ? order.filter { $0 != a } : order + [a], place)
    } else {
      guard note([(.link(link, a, b), isCut ? 0 : 1)], touching: [a, b]) else { return }
    }
    switch (isCut, op[3] / (9 * count) % 2 == 0) {
    case (true, true): forward.remove(y)
    case (true, false): back.remove(x)
    case (false, true): forward.insert(y)
    case (false, false): back.insert(x)
    }
  }

  /// Sets a one-to-one relationship, or clears it.
  mutating func setChief(_ op: Operation, _ context: ManagedObjectContext) {
    guard let a = pick(.node, op[1]), let m = pick(.mark, op[2]),
      let node = object(a, context) as? Node, let mark = object(m, context) as? Mark
    else { return }
    let old = oracle.reference(.chief(m), place)
    let former = oracle.reference(.crown(a), place)
    var writes: [(GraphCell, Int?)] = []
    // One that leads to a third object by now keeps that.
    if let old, oracle.reference(.crown(old), place) == m { writes.append((.crown(old), nil)) }
    if op[3] % 3 == 2 {
      // What a delete rule has cleared, or nothing has set, is as it was.
      guard let old, note(writes + [(.chief(m), nil)], touching: [old]) else { return }
      mark.chief = nil
      return
    }
    if let former, oracle.reference(.chief(former), place) == a {
      writes.append((.chief(former), nil))
    }
    writes += [(.chief(m), a), (.crown(a), m)]
    guard note(writes, touching: [old, former].compactMap { $0 }) else { return }
    if op[3] % 3 == 0 { mark.chief = node } else { node.crown = mark }
  }
}

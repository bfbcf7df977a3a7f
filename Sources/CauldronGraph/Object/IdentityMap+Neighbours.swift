extension IdentityMap {
  /// Calls a closure for the registered objects of a table, from one of them on: first for those whose
  /// keys follow, then for the others, until it returns false. It must not change the map.
  /// - Parameter most: How many keys are looked at, at most.
  func visit(
    from key: Int64, root: Int32, most: Int, _ body: (ManagedObject) -> Bool
  ) {
    let first = key >> IdentityPage.bits
    let near = first..<first + 16
    for number in near {
      guard let page = page(number, of: root) else { continue }
      let start = number == first ? IdentityPage.slot(key) : 0
      if !page.visit(from: start, body) { return }
    }
    let places = places(of: Int(root))
    if places == 0 { return }
    var left = most / IdentityPage.size
    for step in 0..<places {
      guard let (number, page) = page(at: (Int(first & 0xFFFF) + step) % places, of: Int(root))
      else { continue }
      if near.contains(number), number != first { continue }
      if left == 0 || !page.visit(from: 0, body) { return }
      left -= 1
    }
  }
}

extension IdentityPage {
  /// - Returns: Whether to go on.
  fileprivate func visit(from start: Int, _ body: (ManagedObject) -> Bool) -> Bool {
    for slot in start..<Self.size {
      if let object = object(slot), !object._withUnsafeGuaranteedRef(body) { return false }
    }
    return true
  }
}

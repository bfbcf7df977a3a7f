extension GraphOracle {
  /// What goes with an object, itself included.
  func doomed(_ object: Int, _ place: GraphPlace) -> [Int] {
    var all = [object]
    var next = [object]
    while let crate = next.popLast() {
      guard kind(crate) == .crate else { continue }
      let more =
        members(.home, crate, place) + members(.row, crate, place)
        + living(.node, place).filter { isLinked(.packs, $0, crate, place) }
      all += Set(more).subtracting(all)
    }
    return all
  }

  /// Those that refer to an object.
  func members(_ reference: GraphReference, _ owner: Int, _ place: GraphPlace) -> [Int] {
    living(reference.member, place).filter {
      content(.reference(reference, $0), place) == owner
    }
  }

  mutating func delete(_ objects: [Int], _ place: GraphPlace) {
    for object in objects {
      if exists(object, place.parent) {
        write([(.exists(object), 0)], place)
      } else {
        layers[place]?.cells[.exists(object)] = nil
      }
    }
  }

  /// Why a context cannot be saved; nil where it can.
  func refusal(_ place: GraphPlace) -> String? {
    for (cell, content) in layers[place]?.cells ?? [:] {
      switch (cell, content) {
      case (.exists(let object), 0) where kind(object) == .crate && exists(object, place.parent):
        if isDenied(object, place) { return "\(object) is denied" }
      case (.exists(let object), 1) where kind(object) == .piece:
        if reference(.reference(.home, object), place) == nil { return "\(object) has no home" }
      case (.reference(.home, let object), _) where exists(object, place):
        if reference(cell, place) == nil { return "\(object) has lost its home" }
      default: continue
      }
    }
    return nil
  }

  /// Whether something leads to a crate that a delete rule denies.
  private func isDenied(_ crate: Int, _ place: GraphPlace) -> Bool {
    living(.node, place).contains {
      isLinked(.guards, $0, crate, place) || content(.reference(.step, $0), place) == crate
    }
  }
}

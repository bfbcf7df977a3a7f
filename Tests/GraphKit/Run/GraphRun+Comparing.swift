import Cauldron

extension GraphRun {
  /// Looks at all objects of all contexts.
  func compareAll() throws {
    for place in places { try compare(nil, place) }
    try compare(nil, .root)
  }

  /// Looks whether a context shows what the dictionaries show.
  /// - Parameter wanted: Of which objects; nil for all, and for how many there are.
  func compare(_ wanted: Set<Int>?, _ place: GraphPlace) throws {
    guard let context = contexts[place] else { return }
    let expected = oracle.pictures(of: wanted, place)
    try context.performAndWait { local in
      if wanted == nil { try compareCounts(expected, place, local.context) }
      for number in (wanted ?? Set(expected.keys)).sorted() {
        guard let picture = expected[number] else {
          try expectGone(number, local.context)
          continue
        }
        try compare(number, picture, place, local.context)
      }
    }
  }

  private func compareCounts(
    _ expected: [Int: GraphPicture], _ place: GraphPlace, _ context: ManagedObjectContext
  ) throws {
    var found: [ManagedObject] = try Node.findAll(in: context)
    found += try Mark.findAll(in: context)
    found += try Crate.findAll(in: context)
    found += try Piece.findAll(in: context)
    found += try Word.findAll(in: context)
    let seen = found.map { numbers[$0.objectID] ?? -1 }.sorted()
    if seen != expected.keys.sorted() {
      throw GraphDifference("\(place) shows \(seen), not \(expected.keys.sorted())")
    }
    let count = try Node.count(in: context)
    if count != oracle.living(.node, place).count {
      throw GraphDifference("\(place) counts \(count) nodes")
    }
  }

  private func expectGone(_ number: Int, _ context: ManagedObjectContext) throws {
    guard let id = ids[number], (try? context.existingObject(with: id)) != nil else { return }
    throw GraphDifference("\(number) is still there")
  }

  private func compare(
    _ number: Int, _ picture: GraphPicture, _ place: GraphPlace, _ context: ManagedObjectContext
  ) throws {
    guard let id = ids[number], let object = try? context.existingObject(with: id) else {
      throw GraphDifference("\(number) is not there")
    }
    try checkIdentity(object, number, context)
    let isShadowed = oracle.kind(number) == .word && oracle.isShadowed(number, place)
    for (property, content) in picture {
      if isShadowed, property == .value || property == .weight { continue }
      var (seen, expected) = (seen(object, property), content)
      let list = GraphList(property: property, owner: number)
      let isList = object.graphList(property) != nil
      if isList, let order = oracle.order(list, place) {
        if order.sorted() != expected.sorted() {
          throw GraphDifference("the oracle has \(order) and \(expected) for \(property)")
        }
        expected = order
      } else {
        (seen, expected) = (seen.sorted(), expected.sorted())
      }
      if seen == expected { continue }
      throw GraphDifference(
        "\(property) of \(oracle.kind(number)) \(number) in \(place) is \(seen), not \(expected)")
    }
  }

  private func checkIdentity(
    _ object: ManagedObject, _ number: Int, _ context: ManagedObjectContext
  ) throws {
    let uid: Int? =
      switch object {
      case let node as Node: node.uid
      case let mark as Mark: mark.uid
      case let crate as Crate: crate.uid
      case let piece as Piece: piece.uid
      default: nil
      }
    if let uid, uid != number { throw GraphDifference("\(number) has the number \(uid)") }
    if context.registeredObject(for: object.objectID) !== object {
      throw GraphDifference("there are two objects for \(number)")
    }
  }

  private func seen(_ object: ManagedObject, _ property: GraphProperty) -> [Int] {
    switch (object, property) {
    case (let node as Node, .value): [node.value]
    case (let node as Node, .weight): [node.weight]
    case (let word as Word, .value): [word.value]
    case (let word as Word, .weight): [word.weight]
    case (let piece as Piece, .value): [piece.value]
    case (let word as Word, .name): [Int(word.name.drop { !$0.isNumber }) ?? -1]
    default:
      (GraphEnd(object, property)?.objects() ?? []).filter { Self.isShown($0, property) }
        .map { numbers[$0.objectID] ?? -1 }
    }
  }

  /// What is denied stands until the save, and so do references to it.
  private static func isShown(_ object: ManagedObject, _ property: GraphProperty) -> Bool {
    guard property == .step || property == .guarded else { return true }
    _ = (object as? Crate)?.uid
    return !object.isDeleted
  }
}

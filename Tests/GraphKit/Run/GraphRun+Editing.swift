import Cauldron

extension GraphRun {
  /// Does what an operation says, unless another context has done something to the same.
  mutating func edit(_ op: Operation, _ context: ManagedObjectContext) throws {
    switch op[0] % 100 {
    case 0..<12: create(.node, context)
    case 12..<15: create(.mark, context, isSub: op[1] % 2 == 0)
    case 15..<19: create(.crate, context)
    case 19..<22: createPiece(op, context)
    case 22..<27: try findOrCreate(op[1] % 12, context)
    case 27..<33: setAttribute(op, context)
    case 33..<36: rename(op, context)
    case 36..<55: setReference(op, context)
    case 55..<70: setLink(op, context)
    case 70..<74: setChief(op, context)
    case 74..<79: reorder(op, context)
    case 79..<84: delete(op, context)
    default: insert(op, context)
    }
  }

  /// One of the objects that the context shows.
  func pick(_ kind: GraphKind, _ number: Int) -> Int? {
    let living = oracle.living(kind, place)
    return living.isEmpty ? nil : living[number % living.count]
  }

  func object(_ number: Int, _ context: ManagedObjectContext) -> ManagedObject? {
    ids[number].map { context.object(with: $0) }
  }

  /// Notes what the context does, if it may.
  mutating func note(
    _ writes: [(GraphCell, Int?)], touching: [Int] = []
  ) -> Bool {
    guard oracle.isFree(writes, touching: touching, place) else { return false }
    oracle.write(writes, place)
    story += writes.map { "  \($0.0) = \($0.1.map { "\($0)" } ?? "nil")" }
    touched.formUnion(touching + writes.flatMap { $0.0.objects($0.1) })
    return true
  }

  mutating func register(_ object: ManagedObject, _ number: Int) {
    ids[number] = object.objectID
    numbers[object.objectID] = number
    touched.insert(number)
    story.append("  \(oracle.kind(number)) \(number) is \(object.objectID)")
  }

  private mutating func create(
    _ kind: GraphKind, _ context: ManagedObjectContext, isSub: Bool = false
  ) {
    let number = oracle.make(kind)
    let object: ManagedObject
    switch kind {
    case .mark: object = isSub ? SubMark.create(in: context) : Mark.create(in: context)
    case .crate: object = Crate.create(in: context)
    default: object = Node.create(in: context)
    }
    (object as? Node)?.uid = number
    (object as? Mark)?.uid = number
    (object as? Crate)?.uid = number
    oracle.write([(.exists(number), 1)], place)
    register(object, number)
  }

  private mutating func createPiece(_ op: Operation, _ context: ManagedObjectContext) {
    guard let home = pick(.crate, op[1]), oracle.isFree([], touching: [home], place),
      let crate = object(home, context) as? Crate
    else { return }
    let number = oracle.make(.piece)
    let piece = Piece.create(in: context)
    piece.uid = number
    if op[2] % 2 == 0 { piece.home = crate } else { crate.pieces.insert(piece) }
    oracle.write([(.exists(number), 1), (.reference(.home, number), home)], place)
    register(piece, number)
    touched.insert(home)
  }

  private mutating func setAttribute(_ op: Operation, _ context: ManagedObjectContext) {
    let kinds: [GraphKind] = [.node, .node, .word, .piece]
    guard let number = pick(kinds[op[1] % 4], op[2]), let object = object(number, context),
      !oracle.isShadowed(number, place), mayChange(number)
    else { return }
    let isWeight = op[1] / 4 % 2 == 0 && !(object is Piece)
    guard note([(isWeight ? .weight(number) : .value(number), op[3])]) else { return }
    switch object {
    case let node as Node: if isWeight { node.weight = op[3] } else { node.value = op[3] }
    case let word as Word: if isWeight { word.weight = op[3] } else { word.value = op[3] }
    case let piece as Piece: piece.value = op[3]
    default: return
    }
  }

  /// A save looks at all required values of a changed object, also at one that another context has
  /// taken away and not saved; so whoever edits a piece waits until it has a home.
  private func mayChange(_ number: Int) -> Bool {
    oracle.kind(number) != .piece || oracle.reference(.reference(.home, number), place) != nil
  }

  private mutating func delete(_ op: Operation, _ context: ManagedObjectContext) {
    let kinds: [GraphKind] = [.node, .node, .mark, .crate, .crate, .piece, .word]
    guard let number = pick(kinds[op[1] % kinds.count], op[2]) else { return }
    // A word that is not in the file may have been asked for elsewhere, too.
    if oracle.kind(number) == .word {
      guard oracle.exists(number, nil), !oracle.isOvertaken(number, place) else { return }
    }
    let doomed = oracle.doomed(number, place)
    guard oracle.isFree([], touching: doomed, deleting: doomed, place) else { return }
    touched.formUnion(related(to: doomed))
    oracle.delete(doomed, place)
    story.append("  delete \(number), and with it \(doomed.dropFirst())")
    object(number, context)?.delete()
  }

  private func related(to objects: [Int]) -> [Int] {
    oracle.pictures(of: Set(objects), place).flatMap { number, picture in
      picture.filter { ![.value, .weight, .name].contains($0.key) }.flatMap(\.value) + [number]
    }
  }
}

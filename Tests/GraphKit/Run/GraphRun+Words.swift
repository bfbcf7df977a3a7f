import Cauldron

extension GraphRun {
  static func text(_ name: Int) -> String { "word \(name)" }

  /// Asks for a word by its name, which nobody else must have given to another one.
  mutating func findOrCreate(_ name: Int, _ context: ManagedObjectContext) throws {
    let known = oracle.word(named: name, place)
    if known == nil, oracle.isNameTaken(name, isClaim: true, place) { return }
    let word = try Word.findOrCreate(\.name, Self.text(name), in: context)
    let found = numbers[word.objectID]
    if let known {
      guard found == known else {
        throw GraphDifference("\(name) leads to \(found ?? -1), not to \(known)")
      }
      return
    }
    let claimants = oracle.claimants(name, place)
    if let found {
      guard oracle.claims[found] == name, !oracle.exists(found, place), !oracle.exists(found, nil)
      else { throw GraphDifference("\(name) leads to \(found)") }
    }
    if let claimant = claimants.first, found != claimant {
      throw GraphDifference("there are two objects for \(name), where \(claimant) was asked for")
    }
    let number = found ?? oracle.make(.word)
    oracle.claims[number] = name
    oracle.write([(.exists(number), 1), (.name(number), name)], place)
    register(word, number)
  }

  /// Gives a word a name that is free, or has two words swap theirs.
  mutating func rename(_ op: Operation, _ context: ManagedObjectContext) {
    guard let a = pick(.word, op[1]), let b = pick(.word, op[2]),
      oracle.exists(a, nil), oracle.exists(b, nil),
      let first = object(a, context) as? Word, let second = object(b, context) as? Word,
      let name = oracle.content(.name(a), place), let other = oracle.content(.name(b), place)
    else { return }
    if a != b {
      guard note([(.name(a), other), (.name(b), name)]) else { return }
      (first.name, second.name) = (second.name, first.name)
      return
    }
    let new = op[3] % 12
    guard oracle.word(named: new, place) == nil,
      !oracle.isNameTaken(new, isClaim: false, place), note([(.name(a), new)])
    else { return }
    first.name = Self.text(new)
  }
}

/// What a thing of a model is called, and was called before.
struct FormerName {
  let name: String
  /// The names before, the oldest last.
  let originals: [String]

  /// The oldest name, which stays the same when the thing is renamed: Core Data's renaming identifier.
  var identity: String { originals.last ?? name }
}

/// Which old thing each new one goes on with.
struct NameMatching {
  /// The position of the old thing for each new one.
  private(set) var old: [Int?]
  /// The positions of new things that might go on with more than one old thing, or share one.
  private(set) var doubtful: Set<Int> = []

  /// Things are the same that have the same identity; then those that name the other, or are called like
  /// it and have no identity of their own.
  init(_ new: [FormerName], _ old: [FormerName]) {
    self.old = Array(repeating: nil, count: new.count)
    let names = Set(old.map(\.name))
    pair(new, old) { new, old in
      // A plain name is the identity of what was renamed only where nothing has that name itself.
      new.identity == old.identity
        && (!new.originals.isEmpty || new.name == old.name || !names.contains(new.name))
    }
    pair(new, old) { new, old in
      new.originals.contains(old.name) || (new.originals.isEmpty && new.name == old.name)
    }
  }

  private mutating func pair(
    _ new: [FormerName], _ old: [FormerName], _ isSame: (FormerName, FormerName) -> Bool
  ) {
    var taken = Set(self.old.compactMap { $0 })
    let free = old.indices.filter { !taken.contains($0) }
    for index in new.indices where self.old[index] == nil {
      let found = free.filter { isSame(new[index], old[$0]) }
      guard let first = found.first else { continue }
      if found.count > 1 || !taken.insert(first).inserted { doubtful.insert(index) }
      self.old[index] = first
    }
  }
}

extension EntityLayout {
  var formerName: FormerName { FormerName(name: name, originals: description.originalNames) }
}

extension PropertyLayout {
  var formerName: FormerName { FormerName(name: name, originals: description.originalNames) }

  /// Whether a store keeps anything of the property.
  package var isStored: Bool { kind != .transient }

  /// Whether the property leads to other objects.
  package var isRelationship: Bool { kind == .toOne || kind == .toMany }
}

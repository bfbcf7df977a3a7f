import CauldronModel

/// A model that random changes are made to, beside the objects that a store with it has.
///
/// The objects are dictionaries: what a change means for data is said here once more, without SQL.
struct RandomModel<Generator: RandomNumberGenerator> {
  var entities: [EntityDescription] = []
  /// By keys of the test's own, which an attribute `uid` of every object has.
  var objects: [Int: DataObject] = [:]
  /// The entities that were given up, by all names that stores may have them by.
  var discarded: Set<String> = []
  /// The properties that were changed already: once a version, or once at all where former names are
  /// kept, so that what leads there in two steps is the same in one.
  var touched: Set<String> = []
  /// Whether the model can still open the stores of all versions.
  private let keepsNames: Bool
  private var last = 1
  private var random: Generator

  init(using random: Generator, keepsNames: Bool = false) {
    self.random = random
    self.keepsNames = keepsNames
    for _ in 0..<3 { addEntity() }
    for _ in 0..<6 { addAttribute() }
    for _ in 0..<2 { addToOne() }
    addManyToMany()
    addLone()
  }

  /// What the code gives up beside what its entities declare.
  var losses: Set<String> { discarded }

  /// Begins another version, which forgets what has been given up and renamed, unless it keeps that.
  mutating func settle() {
    if keepsNames { return }
    (touched, discarded) = ([], [])
    for index in entities.indices {
      entities[index].discards = []
      entities[index].originalNames = []
      entities[index].properties = entities[index].properties.map { $0.withFormerNames([]) }
    }
  }

  /// Makes a change, and does to the objects what it means.
  mutating func change() {
    switch pick(21) {
    case 0: addEntity()
    case 1: addAttribute()
    case 2: addToOne()
    case 3: addManyToMany()
    case 4, 5: renameAttribute()
    case 6: renameEntity()
    case 7: removeAttribute()
    case 8: widen()
    case 9, 10: require()
    case 11: renameRelationship()
    case 12: order()
    case 13: makeToMany()
    case 14: removeRelationship()
    case 15: addParent()
    case 16: moveUp()
    case 17: addChild()
    case 18: removeEntity()
    case 19: addLone()
    default: makeUnique()
    }
  }

  // MARK: Chance

  mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  mutating func pick<T>(_ choices: [T]) -> T? { choices.randomElement(using: &random) }

  /// A name that no other thing has, and that sorts anywhere, so that numbers of entities change.
  mutating func name(_ kind: String) -> String {
    last += 1
    return "\("abcdefgh".randomElement(using: &random) ?? "a")\(kind)\(last)"
  }

  // MARK: Structure

  /// An entity and all below it.
  func family(_ name: String) -> Set<String> {
    var family: Set<String> = [name]
    while true {
      let more = entities.filter { family.contains($0.superentity ?? "") }.map(\.name)
      let count = family.count
      family.formUnion(more)
      if family.count == count { return family }
    }
  }

  /// The properties of an entity's objects.
  func properties(of name: String) -> [PropertyDescription] {
    guard let entity = entities.first(where: { $0.name == name }) else { return [] }
    return (entity.superentity.map(properties(of:)) ?? []) + entity.properties
  }

  /// The keys of the objects of an entity and those below it, in order.
  func keys(_ entity: String) -> [Int] {
    let family = family(entity)
    return objects.keys.filter { family.contains(objects[$0]?.entity ?? "") }.sorted()
  }

  /// Replaces a property, wherever it is declared.
  mutating func replace(_ name: String, by property: PropertyDescription) {
    for index in entities.indices {
      if let place = entities[index].properties.firstIndex(where: { $0.name == name }) {
        entities[index].properties[place] = property
      }
    }
  }
}

extension PropertyDescription {
  func withFormerNames(_ names: [String]) -> PropertyDescription {
    switch self {
    case .attribute(var attribute):
      attribute.originalNames = names
      return .attribute(attribute)
    case .relationship(var relationship):
      relationship.originalNames = names
      return .relationship(relationship)
    }
  }

  /// The names that stores may have the property by.
  var allNames: [String] {
    switch self {
    case .attribute(let attribute): [attribute.name] + attribute.originalNames
    case .relationship(let relationship): [relationship.name] + relationship.originalNames
    }
  }
}

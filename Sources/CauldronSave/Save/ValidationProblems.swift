import CauldronModel

/// What a save finds wrong: the number of all problems, and the first hundred of them in full.
struct ValidationProblems {
  /// How many problems are kept.
  private static let most = 100
  /// How many problems are named in the error's text.
  private static let shown = 20

  private var list: [CauldronError] = []
  /// How many problems there are.
  private(set) var count = 0
  private var objects: Set<ManagedObjectID> = []

  /// Adds a problem of an object, the first of those that it names; it is made only where it is kept.
  mutating func add(_ ids: [ManagedObjectID], problem: () -> CauldronError) {
    count += 1
    if let id = ids.first { objects.insert(id) }
    if list.count < Self.most { list.append(problem()) }
  }

  /// All problems as one error; nil where there are none.
  var error: CauldronError? {
    guard count > 1 else { return list.first }
    let messages = list.prefix(Self.shown).map(\.message).joined(separator: " ")
    let more = count > Self.shown ? " … and \(count - Self.shown) more." : ""
    let which = objects.count == 1 ? "1 object" : "\(objects.count) objects"
    return CauldronError(
      .validationMultiple, "\(count) problems in \(which): \(messages)\(more)"
    ).with {
      $0.details = list
      var seen: Set<ManagedObjectID> = []
      $0.objectIDs = list.flatMap(\.objectIDs).filter { seen.insert($0).inserted }
    }
  }
}

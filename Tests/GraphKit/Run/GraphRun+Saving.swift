import Cauldron
import Foundation

extension GraphRun {
  /// Saves a context into its parent, or on to the file, if that may be saved.
  mutating func save(_ place: GraphPlace, toStore: Bool = false) throws {
    guard let context = contexts[place] else { return }
    // What a level on the way refuses of its own comes with an answer of its own.
    let above = place.chain.dropFirst()
    if toStore, above.contains(where: { oracle.refusal($0) != nil }) { return }
    let refusal = oracle.refusal(place)
    story.append("save \(place)\(toStore ? " to the store" : "")")
    let changes = GraphChanges(context)
    do {
      if toStore {
        try context.saveAndWait(toPersistentStore: true)
      } else {
        try context.performAndWait { try $0.context.save() }
      }
    } catch {
      guard refusal != nil, "\(error)".contains("validation") || Self.isInvalid(error) else {
        throw GraphDifference("the save of \(place) ended with \(error)")
      }
      return rollback(place)
    }
    if let refusal { throw GraphDifference("\(place) was saved, although \(refusal)") }
    for level in toStore ? place.chain : [place] { try push(level) }
    forward(changes.saves, from: place)
    if context.performAndWait({ $0.context.hasChanges }) {
      throw GraphDifference("\(place) has changes after its save")
    }
  }

  private static func isInvalid(_ error: any Error) -> Bool {
    (error as? CauldronError)?.code.rawValue.hasPrefix("validation") == true
  }

  mutating func push(_ place: GraphPlace) throws {
    let open = oracle.push(place)
    guard let parent = place.parent, let context = contexts[parent] else { return }
    for list in open where oracle.exists(list.owner, parent) {
      let order = context.performAndWait { local in
        object(list.owner, local.context)?.graphList(list.property)?.objects
          .map { numbers[$0.objectID] ?? -1 } ?? []
      }
      let expected = oracle.members(list, parent)
      guard order.sorted() == expected.sorted() else {
        throw GraphDifference(
          "\(list.property) of \(list.owner) in \(parent) is \(order), not \(expected)")
      }
      oracle.arrange(list, order, parent)
    }
  }

  /// What is saved into the root is news for the children of the main context, which it does not
  /// reach by itself.
  private func forward(_ saves: [ContextChange], from place: GraphPlace) {
    guard place == .sibling || place == .main else { return }
    for change in saves {
      contexts[.editor]?.mergeChanges(fromContextDidSave: change)
      contexts[.second]?.mergeChanges(fromContextDidSave: change)
    }
  }

  /// Closes the file and opens it again, without what was not saved.
  ///
  /// Closing writes what contexts have accepted, so that it is discarded first.
  mutating func reopen() throws {
    for place in [GraphPlace.root, .main, .editor, .sibling, .second] {
      contexts[place]?.performAndWait { $0.context.rollback() }
    }
    contexts = [:]
    stage = try stage.reopened()
    oracle.layers = [:]
    (contexts[.main], contexts[.root]) = (stage.main, stage.root)
    beginRecords(.main)
    makeContexts([.editor, .sibling, .second])
    (ids, numbers, formerIDs) = ([:], [:], [:])
    try stage.root.performAndWait { local in
      let context = local.context
      for node in try Node.findAll(in: context) { register(node, node.uid) }
      for mark in try Mark.findAll(in: context) { register(mark, mark.uid) }
      for crate in try Crate.findAll(in: context) { register(crate, crate.uid) }
      for piece in try Piece.findAll(in: context) { register(piece, piece.uid) }
      for number in oracle.living(.word, nil) {
        let name = oracle.content(.name(number), nil).map { Self.text($0) } ?? ""
        if let word = try Word.findFirst(where: \.name == name, in: context) {
          register(word, number)
        }
      }
    }
  }

  /// Saves everything that may be saved, and looks at the file.
  mutating func finish() throws {
    for place in [GraphPlace.editor, .second, .main, .sibling] {
      if oracle.refusal(place) != nil { rollback(place) } else { try save(place) }
    }
    try save(.root)
    try compareAll()
    try reopen()
    try compareAll()
    try GraphFile(stage.url).check()
  }
}

/// The saves of a context for as long as this exists.
private final class GraphChanges: @unchecked Sendable {
  // The lock guards the list.
  private let lock = NSLock()
  private var list: [ContextChange] = []
  private var observation: ContextObservation?

  init(_ context: ManagedObjectContext) {
    observation = context.observe { [weak self] change in
      if change.kind == .didSave { self?.append(change) }
    }
  }

  var saves: [ContextChange] { lock.withLock { list } }

  private func append(_ change: ContextChange) { lock.withLock { list.append(change) } }
}

import Cauldron
import Foundation

/// A sibling that has every object, and takes in the saves of a writer one by one.
final class Merges {
  private let parent: ManagedObjectContext
  private let sibling: ManagedObjectContext
  private let writer: ManagedObjectContext
  private let registered: [Item]
  private let written: [Item]
  private let saved = LastChange()
  private let observation: ContextObservation

  init(_ store: FilledStore) throws {
    parent = store.stack.child()
    sibling = ManagedObjectContext(.private, parent: parent)
    writer = ManagedObjectContext(.private, parent: parent)
    registered = try Item.findAll(in: sibling)
    written = try Item.findAll(in: writer)
    let saved = saved
    observation = writer.observe { change in
      if change.kind == .didSave { saved.change = change }
    }
  }

  /// The time of the merges alone.
  /// - Parameter interval: After how many saves the parent saves to the store, as a program does
  ///   now and then.
  func run(_ count: Int, interval: Int) throws -> Sample {
    var sum = Sample(wall: 0, cpu: 0)
    for (number, item) in written.prefix(count).enumerated() {
      if number % interval == interval - 1 { try parent.saveAndWait(toPersistentStore: true) }
      item.age = number % 90
      item.count += 1
      try writer.save()
      guard let change = saved.change else { continue }
      let sample = measure { sibling.mergeChanges(fromContextDidSave: change) }
      sum.wall += sample.wall
      sum.cpu += sample.cpu
    }
    consume(registered.reduce(0) { $0 &+ $1.count })
    return sum
  }
}

/// What the writer has saved last; written and read by one thread.
private final class LastChange: @unchecked Sendable {
  var change: ContextChange?
}

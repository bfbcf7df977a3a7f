import CauldronModel

/// The objects that an ordered to-many relationship leads to, each once, in an order of their own.
///
/// The collection is live: it shows the relationship of its object, and what is put into it has its
/// inverse set. Two contexts that insert at one place end with one order, which both see.
///
/// ```swift
/// playlist.songs.append(song)
/// playlist.songs.insert(other, at: 0)
/// playlist.songs.move(from: 3, to: 0)
/// playlist.songs = [a, b, c]
/// ```
/// - Complexity: One statement at the first walk. Appending and removing are O(*n*) at most and change
///   one object; all that gives others places changes as few objects as possible.
public struct OrderedToMany<Object: ManagedObject> {
  private enum Storage {
    case relationship(ManagedObject, Int)
    case literal([Object])
  }

  private let storage: Storage

  init(_ owner: ManagedObject, _ index: Int) { storage = .relationship(owner, index) }

  /// Holds objects to be assigned to a relationship.
  public init(_ objects: some Sequence<Object>) { storage = .literal(Array(objects)) }

  /// The objects as an array.
  public var objects: [Object] {
    switch storage {
    case .relationship(let owner, let index): owner.destinations(index, of: Object.self)
    case .literal(let objects): objects
    }
  }

  /// What a fetch of these objects asks for.
  package var selection: ToManySelection {
    switch storage {
    case .relationship(let owner, let index): ToManySelection(owner, index)
    case .literal(let objects): ToManySelection(objects)
    }
  }

  /// Adds an object behind all others; one that is there stays where it is.
  public func append(_ object: Object) {
    guard case .relationship(let owner, let index) = storage else { return }
    owner._check()
    owner.insertDestination(through: index, object)
  }

  /// Puts an object at a place; one that is there already moves.
  /// - Parameter position: From 0 to `count`.
  public func insert(_ object: Object, at position: Int) {
    insert(contentsOf: CollectionOfOne(object), at: position)
  }

  /// Puts objects at a place, in their order; those that are there already move.
  public func insert(contentsOf objects: some Collection<Object>, at position: Int) {
    replaceSubrange(position..<position, with: objects)
  }

  /// Takes an object out and clears its inverse; does nothing if it is not in.
  public func remove(_ object: Object) {
    guard case .relationship(let owner, let index) = storage else { return }
    owner._check()
    owner.removeDestination(through: index, object)
  }

  /// Takes the object at a place out.
  public func remove(at position: Int) { remove(self[position]) }

  /// Takes all objects out.
  public func removeAll() { replaceSubrange(0..<count, with: []) }

  /// Moves the object at a place to another one, where it is afterwards.
  public func move(from source: Int, to destination: Int) {
    guard case .relationship(let owner, let index) = storage else { return }
    owner.place(through: index, [ids[source]], at: destination)
  }

  /// Exchanges the objects at two places.
  public func swapAt(_ a: Int, _ b: Int) {
    var ids = self.ids
    ids.swapAt(a, b)
    arrange(ids)
  }

  /// Puts objects in the place of others, which are taken out.
  ///
  /// An object that is there already, outside the range, moves.
  public func replaceSubrange(_ range: Range<Int>, with new: some Collection<Object>) {
    guard case .relationship(let owner, let index) = storage else { return }
    owner._check()
    let old = ids
    let wanted = new.map(\.objectID)
    let moved = Set(wanted)
    let position = old[..<range.lowerBound].count { !moved.contains($0) }
    let gone = range.map { old[$0] }.filter { !moved.contains($0) }
    for object in objects(gone, of: owner) { owner.removeDestination(through: index, object) }
    for object in new { owner.insertDestination(through: index, object) }
    owner.place(through: index, wanted, at: position)
  }

  /// Whether the relationship leads to an object.
  public func contains(_ object: Object) -> Bool {
    switch storage {
    case .relationship(let owner, let index):
      owner._check()
      return owner.hasDestination(through: index, object)
    case .literal(let objects): return objects.contains { $0 === object }
    }
  }

  private var ids: [ManagedObjectID] {
    switch storage {
    case .relationship(let owner, let index): owner.destinationIDs(index)
    case .literal(let objects): objects.map(\.objectID)
    }
  }

  private func arrange(_ ids: [ManagedObjectID]) {
    guard case .relationship(let owner, let index) = storage else { return }
    owner.arrange(through: index, in: ids)
  }

  private func objects(_ ids: [ManagedObjectID], of owner: ManagedObject) -> [ManagedObject] {
    owner.core._withUnsafeGuaranteedRef { core in ids.compactMap { core.reader.object(with: $0) } }
  }
}

extension OrderedToMany: RandomAccessCollection {
  public var startIndex: Int { 0 }

  /// How many objects there are; nothing is read where the relationship was walked.
  public var endIndex: Int {
    switch storage {
    case .relationship(let owner, let index): owner.destinationIDs(index).count
    case .literal(let objects): objects.count
    }
  }

  /// The object at a place; it may be a fault.
  public subscript(position: Int) -> Object {
    switch storage {
    case .literal(let objects): return objects[position]
    case .relationship(let owner, _):
      let id = ids[position]
      guard let object = objects([id], of: owner).first as? Object else {
        trap("Object \(id) of an ordered relationship is no \(Object.self).")
      }
      return object
    }
  }

  /// Walks the objects as they were when the walk began, their rows read.
  public func makeIterator() -> IndexingIterator<[Object]> { objects.makeIterator() }
}

extension OrderedToMany: ExpressibleByArrayLiteral {
  /// Holds objects to be assigned to a relationship.
  public init(arrayLiteral elements: Object...) { self.init(elements) }
}

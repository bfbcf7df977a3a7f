public import CCauldron
package import CauldronModel
import CauldronStore

/// A context's place in the ledger: its parent, and the layers that wait there.
///
/// `@unchecked Sendable` because the mutable fields are only touched with the ledger's lock held.
@usableFromInline
package final class LedgerNode: @unchecked Sendable {
  @usableFromInline package let parent: LedgerNode?
  /// The nodes above this one, from the root down.
  package let ancestors: [LedgerNode]
  /// The layers in runs, each with an index; a snapshot costs one reference a run.
  @exclusivity(unchecked) package private(set) final var runs: [LayerRun] = [] {
    didSet {
      countEndedEdits()
      guard runs.isEmpty == isPending else { return }
      isPending = !isPending
      pending.count(hasLayers: isPending)
    }
  }
  /// Whether `pending` counts this node.
  private var isPending = false
  /// Whether any node of the tree has layers.
  package let pending: PendingNodes
  /// Grows whenever layers come or go; tells whether they are still those of a snapshot.
  @exclusivity(unchecked) package private(set) var generation: UInt64 = 0
  /// Grows whenever no own edits are unsaved any more: they are saved, dropped, or have undone one
  /// another.
  @exclusivity(unchecked) package private(set) var endedEdits: UInt64 = 0
  /// Whether own edits are unsaved.
  private var hasEdits = false
  /// Why a save of own edits has failed, and what `endedEdits` was then.
  private var refusal: (error: CauldronError, endedEdits: UInt64)?
  /// The objects to which the context's own unsaved changes were dropped; the layers have them until
  /// somebody looks at these.
  @exclusivity(unchecked) package var dropped: Set<ManagedObjectID> = []
  /// How many of the first layers a commit is writing right now.
  var inFlight = 0
  /// The first layers, where a commit has failed in a way that leaves open whether they are written.
  @exclusivity(unchecked) package var unsettled: [Flight] = []
  /// Whether saves that have ended with the parent may wait there or further up.
  var endsSavesAtParent = false
  /// Whether the context still exists.
  @exclusivity(unchecked) package var isAlive = true
  /// Tells that the context's reads are not waited for any more; set before the node is known
  /// elsewhere.
  @exclusivity(unchecked) package var cancellation: Cancellation?
  /// The line that asked for the reads of a context that was made for these; set as early.
  @exclusivity(unchecked) package var place: String?
  /// Whether the context sees what its ancestors have not saved.
  @exclusivity(unchecked) package var readsUncommitted = true
  /// Is told of layers that come and go; set before the node is known elsewhere.
  @exclusivity(unchecked) package var journal: ChangeJournal?
  /// What the context's running event has done that is in no layer yet; see ``Unpublished``.
  ///
  /// Written by the context's owner of the moment, and read by whoever is about to read below it.
  @usableFromInline package let unpublished = SharedWord()
  /// What the context's objects have not seen.
  package let inbox = Inbox()
  private let tied = Locked<(any LayerOwner)?>(nil)

  package init(parent: LedgerNode?) {
    self.parent = parent
    pending = parent?.pending ?? PendingNodes()
    ancestors = parent.map { $0.ancestors + [$0] } ?? []
  }

  /// The context, as long as it exists; told, outside the ledger's lock, that layers came or went that its
  /// objects have not seen.
  ///
  /// Not a weak reference: that would give the context a side table, and every retain and release of
  /// it, two for each object, would go by way of that.
  package var owner: (any LayerOwner)? { tied.withLock { $0 } }

  /// Ties the node to its context; nil when the context goes away.
  package func tie(to owner: (any LayerOwner)?) { tied.withLock { $0 = owner } }

  /// Whether a layer waits here or further up. Called with the ledger's lock held.
  var hasLayersToRoot: Bool {
    var step = Unmanaged.passUnretained(self)
    while true {
      let (isEmpty, next) = step._withUnsafeGuaranteedRef { node in
        (node.runs.isEmpty, node.parent.map { Unmanaged.passUnretained($0) })
      }
      if !isEmpty { return true }
      guard let next else { return false }
      step = next
    }
  }

  /// What a running event may have done that no layer has.
  package enum Unpublished {
    package static let nothing: UInt32 = 0
    /// Objects were created or edited.
    package static let edits: UInt32 = 1
    /// Objects were deleted, and all else is published.
    package static let deletions: UInt32 = 2
  }

  /// Whether the running event of a context above has done anything that no layer has.
  /// - Complexity: O(ancestors), without a lock.
  @inlinable
  package var waitsForAncestors: Bool {
    var step = parent.map { Unmanaged.passUnretained($0) }
    while let ancestor = step {
      let (isSet, next) = ancestor._withUnsafeGuaranteedRef { node in
        (node.unpublished.value != 0, node.parent.map { Unmanaged.passUnretained($0) })
      }
      if isSet { return true }
      step = next
    }
    return false
  }

  /// Oldest first: accepted from children, or the context's own edits as of an event boundary.
  /// - Complexity: O(layers), to read and to write; ``append(_:)`` is for single ones.
  package var layers: [Layer] {
    get { runs.count == 1 ? runs[0].layers : runs.flatMap(\.layers) }
    set {
      if let journal, journal.isActive { journal.replace(layers, by: newValue, in: self) }
      setLayers(newValue)
    }
  }

  /// Puts layers that say the same in the place of all.
  func setLayers(_ layers: [Layer]) {
    runs = Self.runs(layers, reusing: runs)
    generation += 1
  }

  /// The number of layers.
  var layerCount: Int { runs.reduce(0) { $0 + $1.layers.count } }

  /// Adds layers that come after all others.
  /// - Parameter known: Runs that the layers were in before, whose indexes serve on.
  package func append(_ layers: [Layer], reusing known: [LayerRun] = []) {
    for layer in layers { journal?.append(.changes(layer.changes), by: self) }
    if layers.count == 1 {
      let same = known.first { $0.layers.count == 1 && $0.layers[0] === layers[0] }
      runs.append(same ?? LayerRun(layers[0]))
    } else {
      runs += Self.runs(layers, reusing: known)
    }
    generation += 1
  }

  /// Notes why own edits could not be saved. Called with the ledger's lock held.
  func note(refusal error: CauldronError) {
    if hasEdits { refusal = (error, endedEdits) }
  }

  /// Why own edits could not be saved, where some have been unsaved ever since. Called with the ledger's
  /// lock held.
  var presentRefusal: CauldronError? {
    refusal.flatMap { $0.endedEdits == endedEdits ? $0.error : nil }
  }

  private func countEndedEdits() {
    let had = hasEdits
    // The newest layers are unsaved, if any are.
    hasEdits = runs.reversed().contains { $0.editor != nil }
    if had, !hasEdits { endedEdits += 1 }
  }

  /// Puts others, or none, in the place of the first layers.
  func replaceFirst(_ count: Int, with others: [Layer]) {
    if others.isEmpty, count == layerCount {
      if let journal, journal.isActive { journal.replace(layers, by: [], in: self) }
      runs = []
      generation += 1
      return
    }
    let all = layers
    if others.count == count, zip(all, others).allSatisfy({ $0 === $1 }) { return }
    layers = others + all.dropFirst(count)
  }

  /// Puts others, or none, in the place of layers that no commit is writing right now.
  func replaceWaiting(_ replacement: (Layer) -> Layer?) {
    let all = layers
    layers = all.prefix(inFlight) + all.dropFirst(inFlight).compactMap(replacement)
  }

  /// Takes in what comes back: behind what a commit is writing right now, which is told by its place, and
  /// behind what came back and was made earlier.
  /// - Parameter backs: In the order in which they were made.
  package func takeBack(_ backs: [Layer]) {
    let all = layers
    var result = Array(all.prefix(inFlight))
    var waiting = all.dropFirst(inFlight)
    for back in backs {
      let earlier = waiting.prefix { $0.isReturned && $0.firstNumber < back.firstNumber }
      result += earlier
      waiting = waiting.dropFirst(earlier.count)
      result.append(back)
    }
    layers = result + waiting
  }

  /// The last two layers, if they are the context's own, and unsaved.
  var lastOwnPair: (Layer, Layer)? {
    guard runs.count >= 2, ownTail(runs) >= 2 else { return nil }
    return (runs[runs.count - 2].layers[0], runs[runs.count - 1].layers[0])
  }

  /// Puts one layer, or none, in the place of the last two.
  func replaceLastPair(with layer: Layer?) {
    runs.removeLast(2)
    if let layer { runs.append(LayerRun(layer)) }
    generation += 1
  }

  /// How many of the last runs are single own, unsaved layers: these are still merged into one. What came
  /// back is not: any number of layers may, and their indexes are merged.
  func ownTail(_ runs: [LayerRun]) -> Int {
    runs.reversed().prefix { run in
      run.layers.count == 1 && run.layers[0].isUnsaved(of: self) && !run.layers[0].isReturned
    }.count
  }

  /// Takes runs with better indexes for the same layers, if these are still there.
  func install(_ better: [LayerRun], for old: [LayerRun]) {
    guard runs.count >= old.count, zip(runs, old).allSatisfy({ $0 === $1 }) else { return }
    runs = better + runs.dropFirst(old.count)
  }

  /// Runs for a list of layers; those that are in it as they were keep their index.
  private static func runs(_ layers: [Layer], reusing old: [LayerRun]) -> [LayerRun] {
    if layers.isEmpty { return [] }
    let byFirst = Dictionary(
      old.map { (ObjectIdentifier($0.layers[0]), $0) }, uniquingKeysWith: { first, _ in first })
    var result: [LayerRun] = []
    var rest = layers[...]
    while let first = rest.first {
      if let run = byFirst[ObjectIdentifier(first)], run.layers.count <= rest.count,
        zip(run.layers, rest).allSatisfy({ $0 === $1 })
      {
        result.append(run)
      } else {
        result.append(LayerRun(first))
      }
      rest = rest.dropFirst(result[result.count - 1].layers.count)
    }
    return result
  }
}

/// The places of all contexts that exist.
package final class NodeList: Sendable {
  private let nodes = Locked<[ObjectIdentifier: LedgerNode]>([:])

  /// In no particular order, but in the same one as long as none comes or goes.
  package var all: [LedgerNode] { nodes.withLock { Array($0.values) } }

  package func add(_ node: LedgerNode) { nodes.withLock { $0[ObjectIdentifier(node)] = node } }

  package func remove(_ node: LedgerNode) {
    // Released outside the lock.
    _ = nodes.withLock { $0.removeValue(forKey: ObjectIdentifier(node)) }
  }
}

/// Whether layers wait anywhere in a tree of contexts, in a form that is read without the ledger's
/// lock: mostly none do, and then a fault needs to know no more.
///
/// The answer "none" holds for the instant at which it is given. The other one is given a little
/// too often: from the moment a layer comes until somebody finds, with the lock held, that all
/// have left. So nobody who looks while layers are moved, with the lock held, finds none.
///
/// `@unchecked Sendable` because the count is only touched with the ledger's lock held, and the
/// answer is read and written in one piece.
package final class PendingNodes: @unchecked Sendable {
  /// How many contexts have layers.
  private var count = 0
  /// 0 if none has.
  private let answer = SharedWord()

  /// Whether a context may have layers; may be called without the lock.
  @inline(__always)
  package var mayBeAny: Bool { answer.value != 0 }

  /// Counts a context that has got its first layer, or has lost its last one. Called with the
  /// ledger's lock held.
  package func count(hasLayers: Bool) {
    count += hasLayers ? 1 : -1
    if hasLayers { answer.store(1) }
  }

  /// Has the answer be "none" again if it is. Called with the ledger's lock held, and with no layer
  /// on its way from one context to another.
  package func settle() {
    if count == 0, mayBeAny { answer.store(0) }
  }
}

/// A number that is read without a lock, and written in one piece under the lock of its subject.
///
/// `@unchecked Sendable` because the memory is only touched by atomic loads and stores.
@usableFromInline
package struct SharedWord: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: UnsafeMutablePointer<UInt32>

  package init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: 0)
  }

  deinit { memory.deallocate() }

  @inlinable
  package var value: UInt32 { cauldron_load(memory) }

  package func store(_ value: UInt32) { cauldron_store(memory, value) }
}

/// A context, as the ledger knows it.
@usableFromInline
package protocol LayerOwner: AnyObject, Sendable {
  /// The context's name, as errors and logs tell it.
  var name: String { get }

  /// Has the context take in, in an event of its own, what its objects have not seen.
  func catchUpSoon()
}

import CauldronLedger
import CauldronModel
import Dispatch
import Observation
import Synchronization

/// What is observed of a context's objects; made when somebody observes one for the first time.
///
/// One registrar serves all of them. A cell is told once, and then it is forgotten, as observations end
/// when they are told. While an object has cells the context keeps it, so that what changes it finds it.
final class ObservedCells: Observable {
  private let registrar = ObservationRegistrar()
  private let cells = ObservedCell.Count()
  /// The objects that have cells, or had some when that was looked at last.
  private var objects: [ObjectIdentifier: Listed] = [:]
  /// What has changed and is not told of yet.
  private var due: [ObservedCell] = []
  private var lapse = ObservationLapse()
  /// Has commits of other processes be noticed; nil where the context would not take them in.
  var watch: StoreLookout?

  private struct Listed {
    weak var object: ManagedObject?
  }

  /// How many objects somebody observes, or has observed until a moment ago.
  var count: Int { objects.count }

  /// How many properties somebody observes.
  var cellCount: Int { cells.value }

  /// What key paths lead to.
  subscript(cell: ObservedCell) -> Int { cell.index }

  /// Has the observation that runs now, if one does, be told of the next change of a property.
  /// - Returns: Whether the object was not observed before.
  func access(_ object: ManagedObject, at index: Int) -> Bool {
    let (cell, isFirst) = cell(of: object, index)
    registrar.access(self, keyPath: \.[cell])
    return isFirst
  }

  private func cell(of object: ManagedObject, _ index: Int) -> (ObservedCell, isFirst: Bool) {
    let extras = object.makeExtras()
    if let known = extras.observed.first(where: { $0.index == index })?.cell {
      return (known, false)
    }
    let made = ObservedCell(index, cells)
    extras.observed.removeAll { $0.cell == nil }
    extras.observed.append(ObservedCell.Place(index: index, cell: made))
    let isFirst = object.change { $0.beginObserved() }
    if isFirst { objects[ObjectIdentifier(object)] = Listed(object: object) }
    return (made, isFirst)
  }

  /// Has the observers told, when the event ends, of those properties of an object that have changed.
  func note(_ object: ManagedObject, where isChanged: (Int) -> Bool) {
    due += take(object, where: isChanged)
  }

  private func take(_ object: ManagedObject, where isChanged: (Int) -> Bool) -> [ObservedCell] {
    let places = object.extras?.observed ?? []
    let rest = places.filter { $0.cell != nil && !isChanged($0.index) }
    object.extras?.observed = rest
    if rest.isEmpty {
      object.change { $0.endObserved() }
      objects[ObjectIdentifier(object)] = nil
    }
    return places.compactMap { isChanged($0.index) ? $0.cell : nil }
  }

  /// Tells the observers of all noted changes.
  func tell() {
    // An observer may change something itself, and may have no end.
    var rounds = 0
    while !due.isEmpty, rounds < 100 {
      let cells = due
      due = []
      for cell in cells { registrar.withMutation(of: self, keyPath: \.[cell]) {} }
      rounds += 1
    }
  }

  /// The observed objects.
  var observed: [ManagedObject] { objects.values.compactMap(\.object) }

  /// Tells of the noted changes, and forgets objects without observers.
  /// - Complexity: O(1) amortized, and the observers.
  func eventEnds() {
    tell()
    let alive = cells.value
    if alive == 0 { watch = nil }
    if objects.isEmpty || alive > 0 && objects.count <= 2 * alive + 64 { return }
    for object in observed { _ = take(object) { _ in false } }
    objects = objects.filter { $0.value.object != nil }
  }

  /// Whether an unheld object may go although it is observed; its observers, if any are left, are
  /// told then.
  func letGo(of object: ManagedObject) -> Bool {
    _ = take(object) { _ in false }
    if object.isObserved {
      guard lapse.begins(objects.count) else { return false }
      note(object) { _ in true }
    }
    return true
  }
}

/// Decides when observers of unheld objects are told only to be rid of the abandoned ones: no
/// notice comes when an observation is abandoned.
///
/// Living observers observe anew. So that this does not go on for ever, the limit grows with the
/// objects told of, until there was peace for a while.
struct ObservationLapse {
  private var limit = ObservationLapse.least
  private var told = 0
  private var began = DispatchTime.now().uptimeNanoseconds

  private static let least = 4_096
  private static let peace: UInt64 = 10_000_000_000

  /// - Parameter count: How many objects are observed.
  mutating func begins(_ count: Int) -> Bool {
    guard count > limit else { return false }
    let now = DispatchTime.now().uptimeNanoseconds
    if now &- began > Self.peace { (limit, told, began) = (Self.least, 0, now) }
    told += 1
    if told >= limit { (limit, told) = (2 * limit, 0) }
    return true
  }
}

/// A property of an object, as observers know it. Only their observations hold it, in the key path that
/// it is a part of, so it goes with the last of them.
final class ObservedCell {
  /// The index of an object as a whole: a change of any property is one of it.
  static let whole = -1

  let index: Int
  private let count: Count

  init(_ index: Int, _ count: Count) {
    self.index = index
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }

  /// How many cells there are; they may go on any thread.
  final class Count: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ difference: Int) { number.add(difference, ordering: .relaxed) }
  }

  /// Where an object remembers one.
  struct Place {
    let index: Int
    weak var cell: ObservedCell?
  }
}

extension ObservedCell: Hashable {
  static func == (a: ObservedCell, b: ObservedCell) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// A bit of its state says that an object is observed, so an unobserved object pays nothing.
//
// What changes is noted at once and told when the event ends: a setter that called observers could not
// promise the compiler that nothing is released meanwhile, which would cost every setter a retain and a
// release, and observers would come in the middle of an edit.
extension ManagedObject {
  /// Has the observation that runs now, if one does, be told of the next change of a property, or of any
  /// where there is no index.
  package final func noteAccess(to index: Int?) {
    core._withUnsafeGuaranteedRef { core in
      // Changes of a row are announced only once the row has been read.
      if isFault { core.reader.fire(self) }
      core.announcer.noteAccess(to: index ?? ObservedCell.whole, of: self)
    }
  }

  /// Has the observers of a property told of its change when the event ends.
  @inline(__always)
  package final func noteChange(of index: Int) {
    if isObserved { note { $0 == index || $0 == ObservedCell.whole } }
  }

  /// Has all observers told: whatever they look at may be another thing now.
  @inline(__always)
  final func noteChanges() {
    if isObserved { note { _ in true } }
  }

  /// Has the observers of to-many relationships told, which nobody knows any more.
  @inline(__always)
  final func noteToMany() {
    if isObserved { noteToManyNow() }
  }

  /// Has the observers told of those properties that another row has other values of.
  @inline(__always)
  final func noteChanges(by row: RowPointer) {
    if isObserved { noteChangesNow(by: row) }
  }

  @inline(never)
  private func note(_ isChanged: (Int) -> Bool) {
    core._withUnsafeGuaranteedRef { $0.announcer.cells?.note(self, where: isChanged) }
  }

  @inline(never)
  private func noteToManyNow() {
    let layout = layout
    let toManys = layout.digest.relationships.filter { $0.kind == .toMany }.map(\.index)
    if toManys.isEmpty { return }
    note { $0 == ObservedCell.whole || toManys.contains($0) }
  }

  @inline(never)
  private func noteChangesNow(by new: RowPointer) {
    // What is read for the first time has not changed.
    if isFault { return }
    let changed = new.difference(from: RowPointer(row), layout)
    if changed.isEmpty { return }
    note { $0 == ObservedCell.whole || changed.contains($0) }
  }
}

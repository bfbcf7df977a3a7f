import CauldronLedger
import Dispatch
import Observation

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

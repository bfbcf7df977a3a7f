import CCauldron

/// Drops the clean objects of a map that nobody else holds.
struct Sweep {
  private let classes: ObjectClassTable
  /// What the word of references says of objects that may be released on another thread.
  private let soleReference: UInt64
  private var others: SweptObjects
  private var debts = SweptDebts()
  /// How many objects were released here.
  private var released = 0
  private var core: Unmanaged<ContextCore>?
  /// The class that was last found to be fit for another thread.
  private var fit: ObjectIdentifier?

  /// - Parameter count: How many objects the map has.
  init(_ classes: ObjectClassTable, count: Int) {
    self.classes = classes
    soleReference = SoleReference.word ?? 0
    others = SweptObjects(capacity: SoleReference.word == nil ? 0 : count)
  }

  /// Drops an object if it may be dropped.
  ///
  /// It must have left the map before another object is looked at: a `deinit` may ask for it.
  /// - Parameter take: Takes the object out of the map, which does not release it.
  @inline(__always)
  mutating func drop(_ entry: Unmanaged<ManagedObject>, _ take: () -> Void) {
    if !others.isFull, isFit(entry) {
      core = entry._withUnsafeGuaranteedRef { $0.core }
      take()
      others.add(entry)
      return
    }
    var object = entry.takeRetainedValue()
    guard object.isClean, isKnownUniquelyReferenced(&object) else {
      _ = Unmanaged.passRetained(object)
      return
    }
    take()
    core = object.core
    released += 1
    debts.takeOver(object)
  }

  /// Releases what is left, and what all objects have retained together.
  mutating func finish() {
    debts.pay()
    others.handOver()
    let count = released + others.count
    if let core, count > 0 { cauldron_release(core.toOpaque(), UInt32(count)) }
  }

  /// Whether an object may be dropped, and may be released on any thread.
  ///
  /// Nobody can get hold of it again, because not even a weak reference leads to it.
  @inline(__always)
  private mutating func isFit(_ entry: Unmanaged<ManagedObject>) -> Bool {
    guard cauldron_reference_word(entry.toOpaque()) == soleReference else { return false }
    let type = entry._withUnsafeGuaranteedRef { object -> ObjectIdentifier? in
      guard object.extras == nil, object.isClean else { return nil }
      return ObjectIdentifier(Swift.type(of: object))
    }
    guard let type else { return false }
    return type == fit || areFreedAnywhere(type)
  }

  @inline(never)
  private mutating func areFreedAnywhere(_ type: ObjectIdentifier) -> Bool {
    guard classes.areFreedAnywhere(type) else { return false }
    fit = type
    return true
  }
}

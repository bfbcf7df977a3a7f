import CauldronLedger
import CauldronModel

/// The keys that new objects get, taken in advance, and how many exchanges of provisional ones the
/// objects have followed.
struct KeySupply {
  /// By number of the root entity; empty ranges for none.
  private var ranges: [Range<Int64>]
  /// How many exchanges the objects have followed.
  private(set) var followedCount: UInt32
  /// Whether all keys are provisional, because nothing that gets one is ever saved.
  var isProvisional = false
  /// The coordinator keeps both.
  private let allocator: Unmanaged<KeyAllocator>
  private let provisional: Unmanaged<ProvisionalKeys>

  init(_ allocator: KeyAllocator, entityCount: Int) {
    self.allocator = .passUnretained(allocator)
    provisional = .passUnretained(allocator.provisional)
    followedCount = allocator.provisional.exchangeCount
    ranges = Array(repeating: 0..<0, count: entityCount + 1)
  }

  /// The key of one more object of an entity.
  /// - Parameter batch: How many keys are taken where none is left.
  @inline(__always)
  mutating func take(for layout: EntityLayout, batch: @autoclosure () -> Int64) -> Int64 {
    let table = Int(layout.rootNumber)
    var range = ranges[table]
    if range.isEmpty, isProvisional {
      let key = provisional._withUnsafeGuaranteedRef { $0.next() }
      range = key..<key + 1
    } else if range.isEmpty {
      range = allocator._withUnsafeGuaranteedRef { $0.take(batch(), root: layout.root) }
    }
    ranges[table] = (range.lowerBound + 1)..<range.upperBound
    return range.lowerBound
  }

  /// Gives back what was not used, for others in this process.
  mutating func giveBack(_ model: ManagedObjectModel) {
    for (number, range) in ranges.enumerated() where !range.isEmpty {
      guard let root = model.layout(number: Int32(number)) else { continue }
      allocator._withUnsafeGuaranteedRef { $0.giveBack(range, root: root) }
      ranges[number] = 0..<0
    }
  }

  /// Whether keys were exchanged and the objects have not followed.
  @inline(__always)
  var isBehind: Bool {
    provisional._withUnsafeGuaranteedRef { $0.exchangeCount } != followedCount
  }

  /// The exchanges that the objects have not followed; the caller has them do so.
  mutating func takeExchanges() -> ArraySlice<ProvisionalKeys.Exchange> {
    let exchanges = provisional._withUnsafeGuaranteedRef { $0.exchanges(from: followedCount) }
    followedCount += UInt32(exchanges.count)
    return exchanges
  }

  /// The ID that an object has now.
  @inline(__always)
  func followed(_ id: ManagedObjectID) -> ManagedObjectID {
    provisional._withUnsafeGuaranteedRef { id.followed($0) }
  }
}

package import CauldronLedger
import CauldronModel

/// What a program sets on a context; read and written from any thread.
package struct ContextSettings {
  package internal(set) var name: String
  /// What decides about conflicts when the context saves.
  package internal(set) var mergePolicy = MergePolicy.error
  /// Whether the context takes in what siblings and its parent save.
  var isMerging = false
  /// Whether objects stay registered although nobody holds them.
  var retainsObjects = false
  /// After how many seconds a cached row is read again for a fault; never where it is negative.
  var stalenessInterval: Double = -1
  /// Whether a fault without a row counts as deleted.
  var deletesInaccessible = true
  /// What of it is looked at often, as bits.
  var habits: UInt32 { (retainsObjects ? 1 : 0) | (stalenessInterval >= 0 ? 2 : 0) }
  /// The numbers of the unique keys, by root entity, by which new objects become others whatever they were asked
  /// for by; nil for all of them.
  package internal(set) var joinable: [Int32: Set<Int>]?
  /// Whether a block runs that is saved when it has ended, as a whole or not at all.
  package internal(set) var savesAtEnd = false
}

/// The settings of one context, which its parts share.
package final class SharedSettings: Sendable {
  private let settings: Locked<ContextSettings>
  /// The settings' `habits`, to be looked at without a lock.
  let habits = SharedWord()

  init(name: String) { settings = Locked(ContextSettings(name: name)) }

  var name: String { withLock { $0.name } }
  /// Whether the context takes in what siblings and its parent save.
  package var isMerging: Bool { withLock { $0.isMerging } }

  package func withLock<R>(_ body: (inout ContextSettings) throws -> R) rethrows -> R {
    try settings.withLock(body)
  }

  /// Changes what is looked at often.
  func setHabit(_ change: (inout ContextSettings) -> Void) {
    withLock { settings in
      change(&settings)
      habits.store(settings.habits)
    }
  }
}

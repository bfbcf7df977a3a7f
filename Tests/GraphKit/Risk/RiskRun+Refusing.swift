import CSQLite
import Cauldron
import CauldronModel
import Foundation

extension RiskRun {
  /// Has a save fail at validation, or at the store, and looks that nothing has changed by it.
  mutating func refuse(_ op: Operation) throws {
    guard oracle.layers[place]?.brought.isEmpty ?? true else { return }
    if setup.isFile, op[3] % 2 == 0 { return try refuseAtStore(Self.policy(op[3] / 2)) }
    let cards = family.kinds.contains(.card) ? oracle.living(.card, place) : []
    guard !cards.isEmpty, let context = contexts[place] else { return }
    let number = cards[op[2] % cards.count]
    // An object that is not there any more has no rules.
    guard oracle.change(number, place)?.kind != .deleted else { return }
    try context.performAndWait { local in
      guard object(number, local.context) != nil else { return }
      setValue(.edit, number, 5_001, local.context)
      local.context.processPendingChanges()
      story("save, which does not validate")
      local.context.mergePolicy = .error
      try expectRefusal(of: number) { try local.context.save() }
      setValue(.edit, number, op[3] % 499 * 2 + 1, local.context)
    }
  }

  /// Another connection holds the file, so that every level gives its changes back. What the policy of the
  /// first level has decided on the way is decided no more.
  private mutating func refuseAtStore(_ policy: MergePolicy) throws {
    guard let url = stage.url, let context = contexts[place], oracle.hasChanges(place) else {
      return
    }
    let chain = setup.chain(place)
    guard chain.allSatisfy({ oracle.layers[$0]?.brought.isEmpty ?? true }) else { return }
    // What is refused on the way never comes to the store.
    // Objects that become others by their names are these everywhere.
    let policy = family == .keys ? .error : policy
    guard let pushes = foretellUp(policy), changesFile(pushes) else { return }
    if pushes.contains(where: { !$0.decided.isEmpty }) { report.meet("refused above a decision") }
    let holder = RiskHolder(url)
    defer { withExtendedLifetime(holder) {} }
    story("  of a store that another program holds")
    try expectRefusal(of: nil) { try context.saveAndWait(toPersistentStore: true) }
  }

  /// Whether saves up to the file have anything to write; what a policy has dropped as a whole goes nowhere.
  private func changesFile(_ pushes: [RiskPush]) -> Bool {
    [pushes.first, pushes.last].allSatisfy { push in
      (push?.accepted ?? [:]).contains { number, change in
        change.kind != .updated
          || change.edits.contains { oracle.file[number]?[$0.key] != $0.value.mine }
      }
    }
  }

  private mutating func expectRefusal(of number: Int?, _ save: () throws -> Void) throws {
    do {
      try save()
    } catch is CauldronError {
      report.meet(number == nil ? "refused by the store" : "refused by validation")
      return
    }
    throw RiskFinding(
      aspect: .saved, objects: number.map { [$0] } ?? [], place: place,
      text: "although it had to be refused")
  }
}

/// Another program's write transaction, for as long as this exists.
private final class RiskHolder {
  private var handle: OpaquePointer?

  init(_ url: URL) {
    sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil)
    sqlite3_busy_timeout(handle, 5_000)
    sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil)
  }

  deinit { sqlite3_close_v2(handle) }
}

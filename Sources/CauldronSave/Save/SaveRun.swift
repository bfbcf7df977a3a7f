import CauldronGraph
import CauldronLedger
package import CauldronModel
import Dispatch
import Foundation
import Logging

/// One save on its way up the chain.
///
/// `@unchecked Sendable` because the levels run one after the other, each handing over to the next.
package final class SaveRun: @unchecked Sendable {
  let id: UInt64
  let ticket: SaveTicket
  let levels: [ManagedObjectContext]
  let callSite: CallSite
  /// What the save is called: what the program says, or else the call site.
  var name: String { ticket.label.name }
  /// What decides about the save's conflicts, if it is not what each context says.
  let mergePolicy: MergePolicy?
  /// The level that runs now.
  var step = 0
  var error: CauldronError?
  /// Whether any level has handed something on, or written it.
  var didWork = false
  /// Whether merge policies have left nothing to be handed on.
  var isEmptied = false
  /// Whether a merge policy has changed what it carries, at any level.
  var isAdapted = false
  /// The other saves whose changes this one carries.
  private(set) var carried: [CarriedSave] = []
  /// The tickets of what the levels above the first one have added of their own, by step.
  private var levelTickets: [Int: SaveTicket] = [:]
  var counts = SavedCounts()
  /// What its last level has written; nil where the log does not tell it, or another save has.
  var written: SavedCounts?
  /// When it was asked for; of a save block, when the block had ended.
  var began: DispatchTime
  var enqueued: DispatchTime
  /// The thread that runs a part of it now; 0 for none. Only touched by `RunningSaves`.
  var thread: UInt = 0
  /// The kernel's number of that thread. Only touched by `RunningSaves`.
  var worker = 0
  /// Whether it was asked for after the stack began to close, or stood still until it was closed.
  private(set) var isLate = false

  init(
    _ context: ManagedObjectContext, toPersistentStore: Bool, _ mergePolicy: MergePolicy?,
    named name: String? = nil, again: String? = nil, isRepeated: Bool = false,
    at callSite: CallSite
  ) {
    id = context.core.coordinator.ledger.saveID()
    began = .now()
    enqueued = began
    ticket = SaveTicket(
      saveID: id, mergePolicy: mergePolicy,
      label: SaveLabel(contextName: context.name, givenName: name, callSite: callSite),
      endsAtParent: !toPersistentStore && context.parent != nil, again: again,
      isRepeated: isRepeated,
      joinable: context.core.settings.withLock { $0.joinable })
    self.mergePolicy = mergePolicy
    self.callSite = callSite
    var levels = [context]
    while toPersistentStore, let parent = levels[levels.count - 1].parent { levels.append(parent) }
    self.levels = levels
  }

  /// Whether another level is to be saved after this one.
  var goesOn: Bool { step + 1 < levels.count }
  /// The policy of the level that runs now, for changes whose own save named no policy. The policy
  /// of this save holds for all that waits where it begins, and for its own changes further up.
  func mergePolicy(of core: ContextCore) -> MergePolicy {
    if step == 0, let mergePolicy { return mergePolicy }
    return core.settings.withLock { $0.mergePolicy }
  }

  /// Makes the stack wait for it when it is closed; what the code that asks for it has changed in
  /// contexts above was changed before.
  /// - Parameter last: The attempt before, if it is one more; it was asked for when that was.
  func begin(after last: SaveRun? = nil) {
    if !saves.begin(self, after: last) || last?.isLate == true { isLate = true }
    levels[0].core.ancestors.publish()
  }

  /// It has ended, and the stack need not wait for it.
  package func end() { saves.end(self) }

  /// Runs a part of it.
  package func run<R>(_ body: () throws -> R) rethrows -> R { try saves.run(self, body: body) }

  private var saves: RunningSaves { levels[0].core.coordinator.saves }

  /// The level's position, as logs show it.
  var position: String { "\(step + 1)/\(levels.count)" }

  /// The ticket for own changes of the level that runs now.
  func ownTicket() -> SaveTicket {
    if step == 0 { return ticket }
    if let ticket = levelTickets[step] { return ticket }
    let ticket = SaveTicket(saveID: id, label: ticket.label.at(levels[step].name))
    levelTickets[step] = ticket
    return ticket
  }

  /// Whether this save has brought a layer up.
  func brought(_ layer: Layer) -> Bool {
    guard let ticket = layer.ticket else { return false }
    return ticket === self.ticket || levelTickets.values.contains { $0 === ticket }
  }

  /// What was done of what was asked for, after merge policies have decided.
  private func actualCounts(
    _ resolutions: [SaveResolution]
  ) -> (inserted: Int, updated: Int, deleted: Int) {
    func count(_ outcomes: SaveResolution.Outcome...) -> Int {
      Set(resolutions.lazy.filter { outcomes.contains($0.outcome) }.map(\.objectID)).count
    }
    let again = count(.insertedAgain)
    return (
      max(0, counts.inserted + again - count(.becameExisting)),
      max(0, counts.updated - again - count(.droppedEdit)),
      max(0, counts.deleted - count(.keptTheirs, .deletedAlready))
    )
  }

  /// Notes for which saves this one answers: those that children have ended with this context, and those
  /// that the context has ended with its parent, which wait further up.
  func carry(_ layers: [Layer], own earlier: [SaveTicket]) {
    // It may be asked once more, after a child's save has come first.
    var known = Set(carried.map { ObjectIdentifier($0.ticket) } + [ObjectIdentifier(ticket)])
    func add(_ other: SaveTicket, isCounted: Bool) {
      guard other.endsAtParent, other.failure == nil,
        known.insert(ObjectIdentifier(other)).inserted
      else { return }
      carried.append(CarriedSave(other, isCounted: isCounted))
    }
    for other in layers.compactMap(\.ticket) { add(other, isCounted: true) }
    for other in earlier { add(other, isCounted: false) }
  }

  /// Whether a merge policy has made something else of the changes, or a level has refused them.
  var hasChanged: Bool { isAdapted || failure != nil }

  /// Why the save has failed; nil where it has not.
  ///
  /// A committed save stays a success although a later error follows: a program repeats failed
  /// saves, and would save the changes twice.
  private var failure: CauldronError? {
    switch ticket.result {
    case .failed(let failure): error ?? failure
    case .committed: nil
    case nil: error ?? (ticket.isOpen ? nil : carried.lazy.compactMap(\.ticket.failure).first)
    }
  }

  /// What became of the save, once the last level has run.
  func result() -> Result<SaveOutcome, CauldronError> {
    if let failure { return .failure(failure) }
    var carrier: UInt64?
    if case .committed(let save) = ticket.result, save != id { carrier = save }
    guard didWork || carrier != nil else { return .success(.noChanges) }
    let counted = carried.filter(\.isCounted).flatMap(\.resolutions)
    let counts = actualCounts(ticket.resolutions + counted)
    return .success(
      .saved(
        SaveSummary(
          saveID: id, carriedBy: carrier, inserted: counts.inserted, updated: counts.updated,
          deleted: counts.deleted, links: self.counts.links, resolutions: ticket.resolutions,
          carriedResolutions: carried.flatMap(\.resolutions),
          refused: carried.compactMap(\.ticket.failure))))
  }
}

extension SaveRun: RunningSave {
  var path: [String] { levels.map(\.name) }

  func giveUp() { isLate = true }

  func passes(_ node: LedgerNode) -> Bool { levels.contains { $0.core.node === node } }

  func runQueued() {
    for level in levels where level.core.ownership.queue.isCurrent {
      level.core.ownership.queue.runQueued()
    }
  }
}

/// A save of which another one carries changes.
struct CarriedSave {
  let ticket: SaveTicket
  /// Whether its changes are among those that the save counts.
  let isCounted: Bool
  /// How many resolutions had been told to the save itself before.
  private let told: Int

  init(_ ticket: SaveTicket, isCounted: Bool) {
    self.ticket = ticket
    self.isCounted = isCounted
    told = ticket.resolutions.count
  }

  /// What merge policies have decided since.
  var resolutions: ArraySlice<SaveResolution> { ticket.resolutions.dropFirst(told) }
}

extension SaveRun {
  /// Ends the save; where it has ended well, the log says so before the program is told. One whose block
  /// runs again stays announced until the next attempt is.
  package func conclude() -> Result<SaveOutcome, CauldronError> {
    let result = result()
    if coordinator.logger.logLevel <= .info, case .success(.saved(let summary)) = result {
      // As a part of the save, so that a stack that is closed meanwhile waits for the line.
      run { log(summary) }
    }
    if ticket.isRepeated, case .failure(let error) = result, error.mayPass { return result }
    end()
    return result
  }

  private var coordinator: PersistentStoreCoordinator { levels[0].core.coordinator }

  private func log(_ summary: SaveSummary) {
    let took = began.milliseconds(to: .now())
    let counts = written ?? SavedCounts(summary)
    coordinator.logger.info(
      "\(sentence(summary, counts: counts, took: took))\(refusals(summary))",
      metadata: metadata(summary, counts: counts, took: took))
  }

  private func sentence(_ summary: SaveSummary, counts: SavedCounts, took: Double) -> String {
    let store = coordinator.storeURL?.lastPathComponent
    if ticket.endsAtParent, summary.carriedBy == nil {
      let place = levels[0].parent?.name ?? ""
      let rest = counts.text.isEmpty ? "" : ": \(counts.text)"
      return "↑ Saved into \(place), not yet \(store == nil ? "in the store" : "on disk")\(rest)"
    }
    let carrier = summary.carriedBy.map { " by save \($0)" } ?? ""
    let nothing = written == nil ? "" : ": nothing to write"
    let what = counts.text.isEmpty ? nothing : ": \(counts.text)"
    return "✓ Saved to \(store ?? "the store in memory")\(carrier)\(what) in \(Self.text(took))"
  }

  /// What the save could not take along, which is an error of another save.
  private func refusals(_ summary: SaveSummary) -> String {
    let count = summary.refused.count
    if count == 0 { return "" }
    return "; changes of \(count) earlier save\(count == 1 ? "" : "s") were refused"
  }

  private func metadata(
    _ summary: SaveSummary, counts: SavedCounts, took: Double
  ) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "save": "\(id)", "context": "\(levels[0].name)", "at": "\(callSite)",
    ]
    metadata["name"] = ticket.label.givenName.map { "\($0)" }
    metadata["store"] = coordinator.storeURL.map { "\($0.lastPathComponent)" }
    metadata["carrier"] = summary.carriedBy.map { "\($0)" }
    counts.note(in: &metadata)
    metadata.note(summary.refused.count, as: "refused")
    metadata.note(summary.resolutions.count, as: "adapted")
    metadata.note(milliseconds: took, as: "took")
    return metadata
  }

  /// A time as people read it: `6 ms`, `0.4 ms`, `12.3 s`.
  package static func text(_ milliseconds: Double) -> String {
    switch milliseconds {
    case ..<1: "\(max(1, (milliseconds * 100).rounded()) / 100) ms"
    case ..<10_000: "\(Int(milliseconds.rounded())) ms"
    default: "\((milliseconds / 100).rounded() / 10) s"
    }
  }
}

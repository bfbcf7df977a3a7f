import CauldronModel
import CauldronStore

extension PersistentStoreCoordinator {
  /// Compares layers with the newest committed rows and lets the policy adapt them.
  ///
  /// The layers lie at the start of the node's list and are replaced there; what is refused goes
  /// back to where it came from.
  /// - Returns: The layers that can be written.
  func check(
    _ flights: [Flight], _ node: LedgerNode, _ policy: MergePolicy, _ run: SaveRun,
    refusingOwn problem: CauldronError? = nil, _ summary: inout CommitSummary,
    twins: [HeldRow] = []
  ) -> [Flight] {
    var verdicts = UnitVerdicts()
    // The context's own changes do not fail the saves that pass through it: they stay behind.
    if let problem { verdicts.refuse(run.ownTicket(), problem) }
    var accepted: [Flight] = []
    var refused: [(Layer, CauldronError)] = []
    var exchanges: [ProvisionalKeys.Exchange] = []
    let layers = flights.map(\.saved)
    repeat {
      (accepted, refused) = ([], [])
      verdicts.beginAnew()
      var check = PushCheck(
        LayerChain(layers: []), self, policy, isCommit: true, twins: twins)
      for (number, flight) in flights.enumerated() {
        do throws(CauldronError) {
          try verdicts.check(flight.saved)
          var flight = flight
          flight.layer = try check.check(
            flight.saved, before: verdicts.standing(layers[(number + 1)...], after: flight.saved),
            readsReferences: flight.hasDanglingReferences)
          flight.resolutions = check.resolutions
          flight.isNoticed = check.isNoticed
          verdicts.accept(flight.saved)
          verdicts.drop(check.droppedObjects, of: flight.saved, among: layers)
          accepted.append(flight)
        } catch {
          // A layer that touches the objects of a failed save is refused with the error of that
          // save.
          let error = flight.suspicion ?? error
          check.doubt(flight.saved)
          verdicts.refuse(
            flight.saved.ticket, error, isTrusted: check.trusts(flight.saved))
          refused.append((flight.saved, error))
        }
      }
      exchanges = check.exchanges
      // The layers of one save share one verdict.
    } while verdicts.areTorn
    claims.follow(exchanges)
    ledger.goOn(
      node, with: accepted, insteadOf: flights.count, returning: refused.map(\.0), exchanges)
    ledger.tell(exchanges)
    summary.failed += refused
    return accepted
  }

  /// Reads the rows that layers met in the store and compares the layers with them; hopeless layers
  /// go back to where they came from.
  /// - Returns: The layers that can be written.
  func retry(
    _ failed: [(Flight, CauldronError)], _ node: LedgerNode, _ policy: MergePolicy,
    _ run: SaveRun, isLast: Bool, _ summary: inout CommitSummary
  ) -> [Flight] {
    guard !failed.isEmpty else { return [] }
    let (hopeful, hopeless) = Self.parted(failed, isLast: isLast)
    ledger.goOn(
      node, with: hopeful.map(\.0), insteadOf: failed.count, returning: hopeless.map(\.0.saved))
    summary.failed += hopeless.map { ($0.saved, $1) }
    guard !hopeful.isEmpty else { return [] }
    for (flight, _) in hopeful {
      reread(flight.saved.changes.entities.map { ($0.entity, $0.changedKeys) })
      // New objects that have become existing ones by their values change rows outside the saved
      // layer.
      reread(flight.othersChanged)
      shareCommitted(flight.saved)
    }
    let again = hopeful.map { flight, error in
      var flight = flight
      flight.saved = ledger.followed(flight.saved)
      flight.suspicion = error.isDependent ? error : nil
      if error.code == .storeDanglingReference { flight.hasDanglingReferences = true }
      return flight
    }
    let repeated = hopeful.filter { $1.mayBecomeOther }.map(\.0.saved)
    return check(again, node, policy, run, &summary, twins: readTwins(of: repeated))
  }

  /// The layers that may be written in another round, and the hopeless ones, with the rest of their
  /// saves.
  ///
  /// A change that touches the objects of a failed one need not build on it: the next round
  /// compares their values.
  private static func parted(
    _ failed: [(Flight, CauldronError)], isLast: Bool
  ) -> (hopeful: [(Flight, CauldronError)], hopeless: [(Flight, CauldronError)]) {
    func isHopeless(_ error: CauldronError) -> Bool {
      // A reference that leads nowhere is for its delete rule to decide, once it was read; a taken
      // unique value is for the policy, once its holder was read.
      isLast
        || ![.saveConflict, .saveDependency, .storeDanglingReference].contains(error.code)
          && !error.isDependent && !error.mayBecomeOther
    }
    var causes: [ObjectIdentifier: CauldronError] = [:]
    for (flight, error) in failed where isHopeless(error) {
      if causes[flight.saved.unit] == nil { causes[flight.saved.unit] = error }
    }
    var hopeful: [(Flight, CauldronError)] = []
    var hopeless: [(Flight, CauldronError)] = []
    for (flight, error) in failed {
      if isHopeless(error) {
        hopeless.append((flight, error))
      } else if let cause = causes[flight.saved.unit] {
        hopeless.append((flight, .together(with: cause)))
      } else {
        hopeful.append((flight, error))
      }
    }
    return (hopeful, hopeless)
  }

  /// Notes which objects of a layer somebody else has inserted meanwhile.
  ///
  /// That a context has joined one is forgotten where others commit twice before it is in a layer.
  private func shareCommitted(_ layer: Layer) {
    for set in layer.changes.entities where !set.entity.uniqueKeys.isEmpty {
      let root = set.entity.rootNumber
      for row in set.inserted where !keys.isUncommitted(row.key, root) {
        claims.share(row.key, root)
      }
    }
  }

  /// Takes the store's rows into the cache.
  private func reread(_ changed: [(entity: EntityLayout, keys: [Int64])]) {
    for (entity, keys) in changed {
      let mark = ledger.settledMark
      // An error is met by the next round, too.
      guard !keys.isEmpty, let rows = try? storedRows(keys, entity) else { continue }
      let found = Set(rows.map(\.row.key))
      let missing = keys.filter {
        !found.contains($0) && !self.keys.isUncommitted($0, entity.rootNumber)
      }
      ledger.withLock {
        guard let mark, ledger.uncheckedSettledMark == mark else { return }
        // What no commit has written yet is missing for another reason.
        for key in missing { cache.markDeleted(key, root: entity.rootNumber) }
      }
    }
  }
}

extension Flight {
  /// The rows that were to be written and are not changed by the saved layer. Links are left out.
  fileprivate var othersChanged: [(entity: EntityLayout, keys: [Int64])] {
    if layer === saved { return [] }
    let known = saved.changes.entities
    return layer.changes.entities.filter { !$0.entity.isJoin }.map { set in
      let own = Set(known.first { $0.entity === set.entity }?.changedKeys ?? [])
      return (set.entity, set.changedKeys.filter { !own.contains($0) })
    }
  }
}

import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore

/// Compares the layers of a commit with the newest committed rows, and lets the policy adapt them.
///
/// The layers lie at the start of the context's list and are replaced there; what is refused goes
/// back to where it came from.
struct CommitComparison {
  let coordinator: PersistentStoreCoordinator
  let node: LedgerNode
  let run: SaveRun
  let policy: MergePolicy

  /// What can be written, and what went back.
  struct Result {
    var accepted: [Flight] = []
    var refused: [(Layer, CauldronError)] = []
  }

  private var ledger: ChangeLedger { coordinator.ledger }

  /// Compares layers with what is known of the committed rows.
  /// - Parameters:
  ///   - problem: Why the context's own edits are refused; nil where nothing is wrong with them.
  ///   - twins: Rows of the store that have unique values which it has refused.
  ///   - hasLost: Whether layers are refused already that these may build on.
  func compared(
    _ flights: [Flight], refusingOwn problem: CauldronError? = nil, twins: [HeldRow] = [],
    hasLost: Bool = false
  ) -> Result {
    var units = SaveUnits(flights.map(\.saved))
    // The context's own changes do not fail the saves that pass through it: they stay behind.
    if let problem { units.refuse(run.ownTicket(), because: problem) }
    let verdict = units.judged(
      readsReferences: { flights[$0].hasDanglingReferences },
      // A layer that touches the objects of a failed save is refused with the error of that save; by itself
      // where that save has a way out in this round.
      cause: { $1 || hasLost ? flights[$0].suspicion : nil },
      by: {
        PushCheck(LayerChain(layers: []), coordinator, policy, isCommit: true, twins: twins)
      })
    var result = Result()
    for (flight, outcome) in zip(flights, verdict.results) {
      switch outcome {
      case .success(let checked): result.accepted.append(flight.checked(checked))
      case .failure(let error): result.refused.append((flight.saved, error))
      }
    }
    coordinator.claims.follow(verdict.exchanges)
    ledger.goOn(
      node, with: result.accepted, insteadOf: flights.count,
      returning: result.refused.map(\.0), exchanging: verdict.exchanges)
    ledger.tell(verdict.exchanges)
    return result
  }

  /// Reads the rows that layers met in the store and compares the layers with them; hopeless layers
  /// go back to where they came from.
  func compared(again failed: [(Flight, CauldronError)], isLast: Bool) -> Result {
    guard !failed.isEmpty else { return Result() }
    let (hopeful, hopeless) = Self.parted(failed, isLast: isLast)
    ledger.goOn(
      node, with: hopeful.map(\.0), insteadOf: failed.count, returning: hopeless.map(\.0.saved))
    let lost = hopeless.map { ($0.saved, $1) }
    guard !hopeful.isEmpty else { return Result(refused: lost) }
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
    var result = compared(again, twins: readTwins(of: repeated), hasLost: !hopeless.isEmpty)
    result.refused = lost + result.refused
    return result
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
      for row in set.inserted where !coordinator.keys.isUncommitted(row.key, root: root) {
        coordinator.claims.share(row.key, root: root)
      }
    }
  }

  /// Takes the store's rows into the cache.
  private func reread(_ changed: [(entity: EntityLayout, keys: [Int64])]) {
    for (entity, keys) in changed {
      let mark = ledger.settledMark
      // An error is met by the next round, too.
      guard !keys.isEmpty, let rows = try? coordinator.storedRows(keys, of: entity) else {
        continue
      }
      let found = Set(rows.map(\.row.key))
      let missing = keys.filter {
        !found.contains($0) && !coordinator.keys.isUncommitted($0, root: entity.rootNumber)
      }
      ledger.withLock {
        guard let mark, ledger.uncheckedSettledMark == mark else { return }
        // What no commit has written yet is missing for another reason.
        for key in missing { coordinator.cache.markDeleted(key, root: entity.rootNumber) }
      }
    }
  }

  // MARK: Unique values

  /// The store's rows with unique values that layers give to other rows, as far as they can be read.
  /// - Complexity: One statement for each unique key and each few hundred rows.
  private func readTwins(of layers: [Layer]) -> [HeldRow] {
    var found: [HeldRow] = []
    for set in layers.flatMap(\.changes.entities) {
      for key in set.entity.uniqueKeys {
        let updated = set.updated.filter { !$0.changed.intersection(key.set).isEmpty }
        var rows = (set.inserted + updated.map(\.row))[...]
        while !rows.isEmpty {
          found += (try? readTwins(of: rows.prefix(256), by: key, entity: set.entity)) ?? []
          rows = rows.dropFirst(256)
        }
      }
    }
    return found
  }

  private func readTwins(
    of rows: some Sequence<RowPointer>, by key: UniqueKey, entity: EntityLayout
  ) throws -> [HeldRow] {
    let value = UniqueValue(key)
    let all = rows.compactMap(value.values)
    if all.isEmpty { return [] }
    let query = key.query(all, in: entity)
    let reader = try coordinator.store.reader()
    defer { reader.finish() }
    return try reader.fetch(query).map(\.held)
  }
}

extension CauldronError {
  /// Whether the store has refused a unique value that another row has, of which a policy may decide.
  var mayBecomeOther: Bool { code == .saveConstraint && objectIDs.count == 2 && !isDependent }
}

extension Flight {
  /// The flight with the layer as it can be accepted.
  fileprivate func checked(_ checked: CheckedLayer) -> Flight {
    var flight = self
    flight.layer = checked.layer
    flight.resolutions = checked.resolutions
    flight.isNoticed = checked.isNoticed
    return flight
  }

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

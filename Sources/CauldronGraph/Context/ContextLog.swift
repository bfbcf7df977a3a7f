package import CauldronLedger
package import CauldronModel
import CauldronStore
package import Dispatch
package import Logging

/// What a context reports of changes that reach it from elsewhere. The texts and their metadata are made only
/// where they are logged.
package struct ContextLog {
  let core: ContextCore

  package init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }

  /// Tells what a catch-up took in, and which edits of the context's own it left as they are.
  func logMerge(_ arrivals: [Arrival], parts: ChangeParts, isBehind: Bool) {
    guard coordinator.logger.logLevel <= .debug else { return }
    log(
      "Took in what others saved", arrivals: arrivals.filter(\.isMerged), parts: parts,
      isBehind: isBehind)
    log("Took in what children saved", arrivals: arrivals.filter { $0.reason == .child })
    log("Took in what could not be saved and came back", arrivals: arrivals.filter(\.isReturned))
    log(
      "Gave back what children saved and could not be saved further",
      arrivals: arrivals.filter { $0.reason == .withdrawn })
  }

  private func log(
    _ what: String, arrivals: [Arrival], parts: ChangeParts = ChangeParts(),
    isBehind: Bool = false
  ) {
    guard !arrivals.isEmpty || isBehind else { return }
    let sets = arrivals.map(\.changes)
    var metadata: Logger.Metadata = ["context": "\(core.name)"]
    if !sets.isEmpty { metadata["objects"] = "\(ObjectNames(sets))" }
    metadata.note(sets.reduce(0) { $0 + $1.insertedCount }, as: "inserted")
    metadata.note(sets.reduce(0) { $0 + $1.updatedCount }, as: "updated")
    metadata.note(sets.reduce(0) { $0 + $1.deletedCount }, as: "deleted")
    metadata.note(sets.reduce(0) { $0 + $1.linkCount }, as: "links")
    if arrivals.contains(where: \.isMerged) || isBehind {
      metadata.note(parts.refreshed.count, as: "refreshed")
      let kept = keptEdits(sets)
      if !kept.isEmpty { metadata["kept"] = .array(kept.map { "\($0)" }) }
    }
    if isBehind { metadata["everything"] = "read anew" }
    coordinator.logger.debug("\(what): \(core.label.description)", metadata: metadata)
  }

  /// The own edits of properties that others changed, which a merge does not touch.
  private func keptEdits(_ sets: [ChangeSet]) -> [String] {
    var kept: [String] = []
    for changes in sets.flatMap(\.entities) {
      for update in changes.updated where kept.count < 20 {
        guard let object = core.registry.object(update.row.key, root: changes.entity.root.number),
          object.layout === changes.entity, object.isEdited
        else { continue }
        let theirs = Set(update.changed.indices.map { changes.entity.properties[$0].name })
        let both = object.changedProperties.filter(theirs.contains)
        if !both.isEmpty {
          let key = ObjectNames.name(object.key)
          kept.append("\(changes.entity.name) \(key): \(both.joined(separator: ", "))")
        }
      }
    }
    return kept
  }

  // MARK: Changes that came back

  /// Logs, for each save with refused changes, the reason why they return to the contexts that made
  /// them.
  /// - Parameters:
  ///   - carrier: The save that found it; nil where a context ends.
  ///   - receiver: Where they met a conflict; nil for the store.
  /// - Returns: The same, each error with the saves that are at odds.
  package func logReturned(
    _ returned: [(Layer, CauldronError)], carrier: UInt64?, in receiver: LedgerNode?
  ) -> [(Layer, CauldronError)] {
    var seen: Set<String> = []
    return returned.map { layer, error in
      let party = layer.party
      let error = error.naming(party, in: receiver, on: coordinator).advising(layer.ticket).with {
        if $0.contextName == nil { $0.contextName = core.name }
      }
      if layer.origin !== core.node, seen.insert("\(party.saveID) \(error)").inserted {
        log(error, of: layer, party: party, carrier: carrier)
      }
      return (layer, error)
    }
  }

  private func log(
    _ error: CauldronError, of layer: Layer, party: SaveParty, carrier: UInt64?
  ) {
    let origin = layer.origin.core?.label.description ?? party.contextName
    var metadata = metadata(error)
    metadata["save"] = "\(party.saveID)"
    metadata["context"] = "\(party.contextName)"
    metadata["at"] = "\(party.name)"
    metadata["level"] = "\(core.name)"
    metadata["carrier"] = carrier.flatMap { $0 == party.saveID ? nil : "\($0)" }
    coordinator.logger.log(
      level: layer.ticket?.logLevel(of: error) ?? .error, "Could not save \(origin): \(error)",
      metadata: metadata)
  }

  package func metadata(_ error: CauldronError) -> Logger.Metadata {
    error.metadata(showsValues: coordinator.showsValues)
  }
}

extension CauldronError {
  /// What a log line tells of an error beside its text.
  /// - Parameter showsValues: Whether it may tell the values that conflict.
  package func metadata(showsValues: Bool) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["code": "\(code.rawValue)"]
    metadata["entity"] = entity.map { "\($0)" }
    metadata["property"] = property.map { "\($0)" }
    metadata["object"] = objectIDs.first.map { "\($0)" }
    metadata["path"] = path.map { "\($0)" }
    metadata["sqlite"] = sqliteCode.map { "\($0)" }
    if objectIDs.count > 1 {
      metadata["objects"] = .array(objectIDs.prefix(10).map { "\($0)" })
    }
    if let save {
      metadata["mine"] = Self.metadata(save)
      metadata["theirs"] = otherSave.map(Self.metadata) ?? "unknown"
    }
    if showsValues, let conflict = conflicts.first { metadata["values"] = conflict.metadata }
    return metadata
  }

  private static func metadata(_ party: SaveParty) -> Logger.MetadataValue {
    ["save": "\(party.saveID)", "context": "\(party.contextName)", "at": "\(party.name)"]
  }
}

extension MergeConflict {
  /// The values that differ, by property.
  fileprivate var metadata: Logger.MetadataValue {
    var values: Logger.Metadata = [:]
    for property in properties {
      values[property.name] = [
        "was": "\(property.was.debugText)",
        "theirs": "\(property.theirs?.debugText ?? "deleted")",
        "mine": "\(property.mine?.debugText ?? "deleted")",
      ]
    }
    return .dictionary(values)
  }
}

extension Logger.Metadata {
  /// Notes a count for a log line; zero tells nothing, and is left out.
  package mutating func note(_ count: Int, as key: String) {
    if count != 0 { self[key] = "\(count)" }
  }

  /// Notes a time for a log line; zero tells nothing, and is left out.
  package mutating func note(milliseconds: Double, as key: String) {
    if milliseconds != 0 { self[key] = "\(milliseconds) ms" }
  }
}

extension DispatchTime {
  /// The time between two moments, in milliseconds with three digits.
  package func milliseconds(to end: DispatchTime) -> Double {
    let nanoseconds = Double(end.uptimeNanoseconds &- uptimeNanoseconds)
    return (nanoseconds / 1_000).rounded() / 1_000
  }
}

import CauldronModel
import Logging

extension ContextCore {
  /// Tells what a catch-up took in, and which edits of the context's own it left as they are.
  func logMerge(_ arrivals: [Arrival], _ parts: ChangeParts, isBehind: Bool) {
    guard coordinator.logger.logLevel <= .debug else { return }
    log("what others saved", arrivals.filter(\.isMerged), parts, isBehind: isBehind)
    log("what children saved", arrivals.filter { $0.reason == .child })
    log("what could not be saved and came back", arrivals.filter(\.isReturned))
  }

  private func log(
    _ what: String, _ arrivals: [Arrival], _ parts: ChangeParts = ChangeParts(),
    isBehind: Bool = false
  ) {
    guard !arrivals.isEmpty || isBehind else { return }
    let sets = arrivals.map(\.changes)
    var metadata: Logger.Metadata = ["context": "\(name)"]
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
    coordinator.logger.debug("Took in \(what): \(description)", metadata: metadata)
  }

  /// The own edits of properties that others changed, which a merge does not touch.
  private func keptEdits(_ sets: [ChangeSet]) -> [String] {
    var kept: [String] = []
    for changes in sets.flatMap(\.entities) {
      for update in changes.updated where kept.count < 20 {
        guard let object = identity.object(update.row.key, root: changes.entity.root.number),
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
}

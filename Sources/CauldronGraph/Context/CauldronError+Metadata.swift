package import CauldronModel
package import Logging

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

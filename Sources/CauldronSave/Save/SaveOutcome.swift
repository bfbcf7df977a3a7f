public import CauldronLedger
public import CauldronModel

/// What a save did.
public enum SaveOutcome: Sendable, Hashable {
  /// The changes were saved.
  case saved(SaveSummary)
  /// There was nothing to save, anywhere on the chain.
  case noChanges
}

extension SaveOutcome: CustomStringConvertible {
  /// What the save did, in few words: `saved: 1 inserted, 2 updated (save 7)`, or `no changes`.
  public var description: String {
    switch self {
    case .saved(let summary): summary.description
    case .noChanges: "no changes"
    }
  }
}

/// What a successful save wrote.
public struct SaveSummary: Sendable, Hashable {
  /// The save's number, which its log lines carry.
  public let saveID: UInt64
  /// The number of the concurrent save that carried the changes to disk, if it was another one.
  public let carriedBy: UInt64?
  /// The objects created, changed and deleted in the context that was saved.
  public let inserted: Int
  /// The objects changed in the context that was saved.
  public let updated: Int
  /// The objects deleted in the context that was saved.
  public let deleted: Int
  /// The links of many-to-many relationships that were made and taken away in the context that was
  /// saved.
  public let links: Int
  /// What merge policies have kept or dropped of the context's own changes, at all levels; empty where
  /// nothing was in conflict.
  public let resolutions: [SaveResolution]
  /// The same of changes that other contexts had saved into this one, and this one into its parent.
  public let carriedResolutions: [SaveResolution]
  /// Why changes came back that other contexts had saved into this one, or this one into its parent
  /// before, while those of this save are saved; empty mostly.
  public let refused: [CauldronError]
}

extension SaveSummary {
  /// Equality of all that is told; of errors, what they say.
  public static func == (a: SaveSummary, b: SaveSummary) -> Bool {
    a.saveID == b.saveID && a.carriedBy == b.carriedBy && a.inserted == b.inserted
      && a.updated == b.updated && a.deleted == b.deleted && a.links == b.links
      && a.resolutions == b.resolutions
      && a.carriedResolutions == b.carriedResolutions
      && a.refused.map(\.description) == b.refused.map(\.description)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(saveID) }
}

extension SaveSummary: CustomStringConvertible {
  /// What was saved, in few words: `saved: 1 inserted, 2 updated (save 7)`.
  public var description: String {
    var text = "saved"
    let counts = SavedCounts(self).text
    if !counts.isEmpty { text += ": \(counts)" }
    text += " (save \(saveID)\(carriedBy.map { ", written by save \($0)" } ?? ""))"
    if !resolutions.isEmpty { text += "; conflicts decided: \(resolutions.count)" }
    if !refused.isEmpty { text += "; earlier saves refused: \(refused.count)" }
    return text
  }
}

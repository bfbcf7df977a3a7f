import CauldronModel
import CauldronModelFile
import CauldronStore

/// What a store's copy of its model is good for.
struct KeptModel {
  /// What the copy says; nil where there is none or it cannot be read.
  let content: StoredModel?
  /// The model; nil where descriptions cannot say it.
  let model: ManagedObjectModel?
  /// Whether there is a copy.
  let isThere: Bool

  init(_ connection: Connection) throws {
    let copy = ModelCopy(connection: connection)
    isThere = try copy.isThere
    content = try copy.content()
    model = try? content?.model()
  }

  /// Why nothing but pages and key counters can be looked at.
  var reason: String {
    let why =
      isThere
      ? content == nil
        ? "the store's copy of its model cannot be read"
        : "the store's model has things that are not understood"
      : "the store has no copy of its model"
    return "\(why), so that only pages, metadata and key counters were looked at."
  }

  /// The entities of which something was not looked at.
  var omissions: [StoreFinding] {
    (content?.open ?? []).sorted().map { name in
      StoreFinding(
        .modelUnsupported,
        "\(name) has a property that is not understood, which was not looked at.", entity: name,
        standing: .unsupported)
    }
  }

  /// Where the copy is not the model that the metadata tell of.
  func differences(from metadata: StoreMetadata) -> [StoreFinding] {
    guard isThere else { return [] }
    guard let content else {
      return [
        StoreFinding(.modelUnreadable, "The store's copy of its model (Z_MODELCACHE) is none.")
      ]
    }
    guard let model else { return [] }
    return metadata.differences(from: model).filter {
      !content.open.contains($0)
    }.map { name in
      let what =
        metadata.versionHashes[name] == nil
        ? "is not in the metadata, but in the store's copy of its model"
        : model.layout(named: name) == nil
          ? "is in the metadata, but not in the store's copy of its model"
          : "has another hash in the metadata than in the store's copy of its model"
      return StoreFinding(.modelHash, "\(name) \(what).", entity: name)
    }
  }
}

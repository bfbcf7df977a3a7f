import CauldronModel

extension StoreOpener {
  /// Refuses a model whose stores have values in files beside them: their cells begin with a byte
  /// that tells where the value is, and would be taken for the value.
  func refuseExternalData() throws {
    for layout in model.entityLayouts {
      for property in layout.properties {
        guard case .attribute(let attribute) = property.description, !attribute.isTransient,
          attribute.allowsExternalBinaryDataStorage
        else { continue }
        throw CauldronError(
          .storeUnsupported,
          "Cannot open store \"\(file.path)\": \(layout.name).\(attribute.name) may have its"
            + " values in files beside it (allowsExternalBinaryDataStorage), which is not"
            + " supported.", hint: "Leave the flag out of the model of a new store."
        ).with {
          $0.path = file.path
          $0.entity = layout.name
          $0.property = attribute.name
        }
      }
    }
  }

  /// The error of a store that others follow.
  func refusal(of follower: StoreInspector.Follower) -> CauldronError {
    let what =
      follower.isCloud
      ? "it is mirrored with CloudKit (table \(follower.table)), which would not learn of saves"
      : "it keeps a history (table \(follower.table)), in which saves would be missing"
    return CauldronError(
      .storeUnsupported, "Cannot open store \"\(file.path)\": \(what).",
      hint: "Set readOnly in the configuration to read it."
    ).with { $0.path = file.path }
  }

  /// The error of a file that has no write-ahead log, without which readers wait for writers.
  func refusal(of log: LogRefusal) -> CauldronError {
    file.error(
      "its file system takes no write-ahead log; the journal mode stays \"\(log.mode)\".",
      hint: "Put it on a local disk.")
  }

  /// Refuses a store of another model, with what differs.
  func check(_ metadata: StoreMetadata, _ planned: StoreSchema) throws {
    guard !metadata.differences(from: model).isEmpty else { return }
    // Whatever keeps the tables from being read shall not hide the reason.
    let tables = (try? inspector.tables()) ?? [:]
    let differences = ModelComparison(metadata, planned, tables).differences()
    let writer = metadata.versionIdentifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    throw CauldronError(
      .storeIncompatibleModel,
      "Cannot open \"\(file.path)\" with model \"\(model.name)\": entities that differ: "
        + "\(differences.map(\.description).joined(separator: ", ")).",
      hint: "Open it with the model that wrote it\(writer.isEmpty ? "" : " (\(writer))")."
    ).with {
      $0.path = file.path
      $0.entity = differences.first?.entity
      $0.property = differences.first?.properties.first?.name
    }
  }
}

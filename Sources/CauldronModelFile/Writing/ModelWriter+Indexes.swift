import CauldronModel

extension ModelWriter {
  /// Indexes, and their older form beside them, as Xcode writes both.
  mutating func addIndexes(
    of entity: EntityDescription, to fields: inout [String: PropertyListTree]
  ) {
    guard !entity.indexes.isEmpty else { return }
    let indexes = entity.indexes.map { write($0, of: entity.name) }
    fields["NSFetchIndexDescriptions"] = .reference(archive.array(indexes))
    let compound = entity.indexes.map(\.properties).filter { $0.count > 1 }.map { names($0) }
    fields["NSCompoundIndexes"] = .reference(archive.array(compound))
  }

  private mutating func write(_ index: IndexDescription, of entity: String) -> Int {
    let place = archive.reserve()
    let elements = index.properties.map { property in
      archive.object(
        ["NSFetchIndexElementDescription"],
        [
          "NSPropertyName": .reference(archive.text(property)), "NSAscending": .boolean(true),
          "NSFetchIndexElementType": .integer(0), "NSFetchIndexDescription": .reference(place),
        ])
    }
    return archive.object(
      ["NSFetchIndexDescription"],
      [
        "NSIndexName": .reference(archive.text(index.name)), "NSPartialIndexPredicate": .null,
        "NSIndexElements": .reference(archive.array(elements)),
        "NSEntity": .reference(self.place(ofEntity: entity)),
      ], at: place)
  }
}

package import CauldronModel

// A row's version says that something of its object has changed, its to-many relationships included,
// although no column of the row tells of these. So whoever reads the file can rely on versions.
extension SavePlan {
  /// The rows that written layers do not write, and whose to-many relationships they change: those of
  /// new owners and of former ones, by root entity, with keys in ascending order.
  ///
  /// Nothing is kept of that before: it is read from the references and links in the layers, so that
  /// what ends as it began touches nothing.
  /// - Parameter failures: Why layers were not written.
  /// - Complexity: O(changed references), and O(changed rows) where many layers write owners.
  package func touchedOwners(
    _ failures: [CauldronError?]
  ) -> [(entity: EntityLayout, keys: [Int64])] {
    guard touchesOwners else { return [] }
    let written = layers.indices.filter { failures[$0] == nil }
    let sets = written.flatMap { layers[$0].changeSet.entities }
    var owners: [Int32: (entity: EntityLayout, keys: [Int64])] = [:]
    for set in sets {
      for reference in set.entity.digest.toOnes {
        guard let root = reference.ownersRoot else { continue }
        let keys = set.owners(by: reference)
        if !keys.isEmpty { owners[root.number, default: (root, [])].keys += keys }
      }
    }
    return owners.values.sorted { $0.entity.number < $1.entity.number }
      .map { ($0.entity, Self.unwritten($0.keys, of: $0.entity, sets)) }
      .filter { !$0.1.isEmpty }
  }

  /// The keys, each once and in ascending order, without those of rows that change sets write.
  private static func unwritten(
    _ keys: [Int64], of root: EntityLayout, _ sets: [EntityChanges]
  ) -> [Int64] {
    let written = sets.filter { !$0.entity.isJoin && $0.entity.root === root }
    let own: Set<Int64>? = written.count < 8 ? nil : Set(written.lazy.flatMap(\.keys))
    var result: [Int64] = []
    for key in keys.sorted() where key != result.last {
      let isWritten = own?.contains(key) ?? written.contains { $0.change(key) != nil }
      if !isWritten { result.append(key) }
    }
    return result
  }
}

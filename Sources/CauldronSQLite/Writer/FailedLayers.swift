import CauldronModel
import CauldronStore

/// The layers of a plan that have failed, by their objects: a layer that builds on one of these fails, too.
struct FailedLayers {
  private var failures: [Int: (layer: SavePlan.Layer, error: CauldronError)] = [:]
  /// The first layer that has failed of those that touch each object.
  private var first: [Object: Int] = [:]

  private struct Object: Hashable {
    let entity: Int32
    let key: Int64
  }

  /// - Complexity: O(rows of the layer).
  mutating func add(_ index: Int, _ layer: SavePlan.Layer, _ error: CauldronError) {
    failures[index] = (layer, error)
    for changes in layer.changeSet.entities {
      for key in changes.keys {
        let object = Object(entity: changes.entity.number, key: key)
        if first[object] == nil { first[object] = index }
      }
    }
  }

  /// Why a layer fails that builds on objects of an earlier one; nil where it does not.
  /// - Complexity: O(rows of the layer); nothing where none has failed.
  func error(of layer: SavePlan.Layer) -> CauldronError? {
    if failures.isEmpty { return nil }
    let dependencies = layer.dependencies
    guard let index = dependencies.lazy.compactMap(first(of:)).min(),
      let (earlier, error) = failures[index]
    else { return nil }
    return layer.failure(
      sharing: dependencies.filter { earlier.changeSet.change($0) != nil }, dueTo: error)
  }

  private func first(of id: ManagedObjectID) -> Int? {
    first[Object(entity: id.entityNumber, key: id.key)]
  }
}

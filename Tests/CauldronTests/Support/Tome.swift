import Cauldron
import CauldronModel
import Foundation
import TestSupport

@Entity class Tome: ManagedObject {
  var title: String
  @Relationship(deleteRule: .cascade) var leaves: ToMany<Leaf>
  @Attribute(derived: "leaves.@count") var leafCount: Int
}

/// A subentity, whose rows lie in the same table.
@Entity final class Atlas: Tome {
  var scale: Int = 1
}

@Entity final class Leaf: ManagedObject {
  var number: Int = 0
  @Relationship(inverse: \Tome.leaves) var tome: Tome?
}

extension Bench {
  /// A stack of tomes and their leaves.
  static func tomes(_ kind: StoreKind = .file) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Tome.self, Atlas.self, Leaf.self))
  }
}

extension Tome {
  @discardableResult
  static func titled(
    _ title: String, leaves: Int = 0, in context: ManagedObjectContext
  ) -> Self {
    let tome = create(in: context)
    tome.title = title
    for number in 0..<leaves { tome.addLeaf(number, in: context) }
    return tome
  }

  @discardableResult
  func addLeaf(_ number: Int = 0, in context: ManagedObjectContext) -> Leaf {
    let leaf = Leaf.create(in: context)
    leaf.number = number
    leaf.tome = self
    return leaf
  }
}

extension ManagedObjectContext {
  /// Title and number of leaves of every tome, as the objects show them.
  func leafCounts() throws -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: try Tome.findAll(in: self).map { ($0.title, $0.leafCount) })
  }
}

import Cauldron
import Foundation

@Entity final class Sailor: ManagedObject {
  var name: String
  var age: Int = 0
  var crew: String?
  var born: Date?
  var pay: Decimal = 0
  @Relationship(inverse: \Ship.sailors) var ship: Ship?
}

@Entity final class Ship: ManagedObject {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .cascade) var sailors: ToMany<Sailor>
}

/// An entity that has a say in its import.
@Entity final class Cargo: ManagedObject {
  var cargoID: Int?
  var weight: Double?

  override func shouldImport(_ source: ImportSource) throws -> Bool {
    source["draft"]?.bool != true
  }
}

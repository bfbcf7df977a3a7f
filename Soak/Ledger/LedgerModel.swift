import Cauldron

/// What the saves fight for.
@Entity final class LedgerAccount: ManagedObject {
  var number: Int = 0
  var balance: Int = 0
  var mark: Int = 0
}

enum LedgerModel {
  static let accounts = 8
  static let opening = 1_000_000

  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(LedgerAccount.self, name: "Ledger")
  }
}

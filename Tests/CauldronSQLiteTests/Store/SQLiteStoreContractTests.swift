import CauldronModel
import CauldronSQLite
import TestSupport
import Testing

@Suite("SQLiteStore, as every store")
struct SQLiteStoreContractTests {
  @Test("Keeps the contract of all stores", arguments: StoreContract.promises)
  func contract(promise: StoreContract.Promise) throws {
    let directory = try TemporaryDirectory()
    try promise.check { model, number in
      try SQLiteStore.open(
        url: directory.file("x.sqlite"), model: model, storeNumber: number)
    }
    withExtendedLifetime(directory) {}
  }
}

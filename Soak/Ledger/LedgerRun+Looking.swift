import Cauldron

extension LedgerRun {
  /// A fresh context on the coordinator sees whole transfers only.
  ///
  /// Others may see one that is still to be refused, on top of what it is in conflict with.
  func look() async {
    guard plan == .moving else { return }
    let context = ManagedObjectContext(.private, coordinator: stack.coordinator, name: "Reader")
    do {
      let sum = try await context.perform { local in
        try LedgerAccount.findAll(in: local).reduce(0) { $0 + $1.balance }
      }
      checkSum(sum, "a fresh context")
    } catch { book.blame("a fetch failed: \(error)") }
  }
}

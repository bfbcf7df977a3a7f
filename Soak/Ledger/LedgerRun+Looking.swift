import Cauldron

extension LedgerRun {
  /// A fresh context sees whole transfers only.
  func look(_ random: inout SoakGenerator) async {
    guard plan == .moving else { return }
    let parents = [stack.defaultContext, stack.rootSavingContext, secondRoot]
    let parent = parents[Int.random(in: 0..<parents.count, using: &random)]
    let context = ManagedObjectContext.contextWithParent(parent)
    do {
      let sum = try await context.perform { local in
        try LedgerAccount.findAll(in: local).reduce(0) { $0 + $1.balance }
      }
      checkSum(sum, "a child of \(parent.name)")
    } catch { book.blame("a fetch failed: \(error)") }
  }
}

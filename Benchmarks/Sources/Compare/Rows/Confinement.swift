import Cauldron
@_spi(Measuring) import CauldronGraph

extension Contest {
  /// What it costs a read to make sure that the caller may read.
  static func confinement(_ settings: Settings) -> Contest {
    Contest(
      "confinement check, read of an Int on a hit, 1,000,000 times", operations: 1_000_000,
      base: "the same read without the check", targets: [Target(.overhead(.base), 2)]
    ) { _ in
      let store = try FilledStore(1_000)
      let context = store.stack.child()
      func lane(
        _ contender: Contender, _ pass: @escaping ([Item]) -> Void
      ) -> Lane<Contender> {
        Lane(contender) {
          try context.performAndWait { local in
            let items = try Item.findAll(in: local)
            return withExtendedLifetime(store) {
              measure { for _ in 0..<1_000 { pass(items) } }
            }
          }
        }
      }
      return [lane(.ours, readChecked), lane(.base, readUnchecked)]
    }
  }
}

@inline(never) private func readChecked(_ items: [Item]) {
  consume(items.reduce(0) { $0 &+ $1.age })
}

@inline(never) private func readUnchecked(_ items: [Item]) {
  consume(items.reduce(0) { $0 &+ ($1._getUnchecked(Item._Properties.age) as Int) })
}

@testable import CauldronList

/// Somebody who looks at a list now and then.
struct Consumer<Section: Hashable & Sendable> {
  var snapshot: ListSnapshot<Item, Section>
  /// The keys touched since.
  var touched: [Int64] = []
  /// It looks once in so many steps.
  let pace: Int
}

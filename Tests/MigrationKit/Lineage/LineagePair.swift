import Cauldron
package import Foundation

/// Two versions of a random model, the same ones for the same generator, and what a store has with each.
package struct LineagePair<Generator: RandomNumberGenerator> {
  private let first: RandomModel<Generator>
  private let second: RandomModel<Generator>
  private let keys: ClosedRange<Int>

  package init(using random: Generator, objects: Int) {
    var model = RandomModel(using: random)
    keys = 1...objects
    for key in keys { model.addObject(key) }
    first = model
    model.settle()
    for _ in 0..<12 { model.change() }
    second = model
  }

  /// Makes a store of the first version.
  package func make(_ url: URL) throws {
    try LineageStore(url: url).open(first) { try LineageData(context: $0).write(keys, of: first) }
  }

  /// Opens a store with the second version.
  package func migrate(_ url: URL) throws { try LineageStore(url: url).open(second) { _ in } }

  /// What is wrong with a store that somebody was migrating; nil where it is the old one or the new one,
  /// and then also the new one once it is opened.
  package func problem(_ url: URL) throws -> (isNew: Bool, String?) {
    let file = LineageSchema.texts(url, "PRAGMA integrity_check")
    if file != ["ok"] { return (false, file.joined(separator: ", ")) }
    let store = LineageStore(url: url)
    var isNew = true
    var found: [Int: DataObject]
    do {
      found = try store.open(second, migrates: false) { try LineageData(context: $0).read(second) }
    } catch let error as CauldronError where error.code == .storeIncompatibleModel {
      isNew = false
      found = try store.open(first, migrates: false) { try LineageData(context: $0).read(first) }
    }
    if found != (isNew ? second : first).objects { return (isNew, "it has other objects") }
    found = try store.open(second) { try LineageData(context: $0).read(second) }
    return (isNew, found == second.objects ? nil : "migrated again it has other objects")
  }
}

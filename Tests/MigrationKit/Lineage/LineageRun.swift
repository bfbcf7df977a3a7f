package import Foundation

/// Takes a store through three versions of a random model, and looks whether it has then what the same
/// changes have made of dictionaries.
package struct LineageRun<Generator: RandomNumberGenerator> {
  private var model: RandomModel<Generator>
  private let folder: URL
  private let keepsNames: Bool
  private let objects: Int
  /// The versions, for whoever has to find out what is different.
  private var story: [String] = []

  /// - Parameters:
  ///   - folder: Where stores are made, which are removed again.
  ///   - keepsNames: Whether each version names all earlier ones; then the first store must also become
  ///     the last one in one step.
  ///   - objects: How many objects each version adds.
  package init(
    in folder: URL, using random: Generator, keepsNames: Bool, objects: Int = 10
  ) {
    self.folder = folder
    self.keepsNames = keepsNames
    self.objects = objects
    model = RandomModel(using: random, keepsNames: keepsNames)
  }

  /// - Returns: What is different; nil if nothing is.
  package mutating func run() throws -> String? {
    let difference = try differs()
    return difference.map { $0 + "\n" + told }
  }

  /// The versions of the model, in lines.
  package var told: String { story.joined(separator: "\n") }

  private mutating func differs() throws -> String? {
    let name = UUID().uuidString
    let store = LineageStore(url: folder.appending(path: "\(name).sqlite"))
    let first = LineageStore(url: folder.appending(path: "\(name)-first.sqlite"))
    let fresh = LineageStore(url: folder.appending(path: "\(name)-fresh.sqlite"))
    defer { for each in [store, first, fresh] { each.remove() } }
    story = [model.description]
    for version in 1...3 {
      if let difference = try step(store, version) { return difference }
      if version == 1, keepsNames { try store.copy(to: first.url) }
      model.settle()
      for _ in 0..<5 { model.change() }
      story.append(model.description)
    }
    if let difference = try look(store, "at the end") { return difference }
    if keepsNames, let difference = try look(first, "in one step") { return difference }
    try fresh.open(model) { _ in }
    return try LineageSchema(store.url).difference(from: LineageSchema(fresh.url))
  }

  private mutating func step(_ store: LineageStore, _ version: Int) throws -> String? {
    if version > 1, let difference = try look(store, "in version \(version)") { return difference }
    // What a store has that goes to the end in one step must not have more than that.
    if version > 1, keepsNames { return nil }
    let keys = version * 1_000 + 1...version * 1_000 + objects
    for key in keys { model.addObject(key) }
    let model = model
    try store.open(model) { try LineageData(context: $0).write(keys, of: model) }
    return try look(store, "after \(version)")
  }

  private func look(_ store: LineageStore, _ moment: String) throws -> String? {
    let found = try store.open(model) { try LineageData(context: $0).read(model) }
    if found == model.objects { return nil }
    let keys = Set(found.keys).union(model.objects.keys).sorted()
    let lines = keys.filter { found[$0] != model.objects[$0] }.prefix(3).map { key in
      "\(key) is \(found[key].map { "\($0)" } ?? "gone"), not"
        + " \(model.objects[key].map { "\($0)" } ?? "there")"
    }
    return "\(moment): " + lines.joined(separator: "\n")
  }
}

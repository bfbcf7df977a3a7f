public import CauldronModel

/// What opening a store would do to it because the model has changed; made without writing anything.
///
/// ```swift
/// let forecast = try Stack.migrationForecast(storeURL: url)
/// print(forecast)
/// ```
public struct MigrationForecast: Sendable {
  /// Values or objects that the model has no place for any more.
  public struct Loss: Sendable, Hashable {
    /// The entity, and the property with its type: `Company`, `Person.fax: String`.
    public let name: String
    /// How many objects, values or links would be lost; nil where that is known only once the store has come
    /// to another version of a plan.
    public let count: Int?
    /// Whether the code gives it up.
    public let isAllowed: Bool

    package init(name: String, count: Int?, isAllowed: Bool) {
      self.name = name
      self.count = count
      self.isAllowed = isAllowed
    }
  }

  /// The store's file name.
  public let store: String
  /// Whether the store is another model's, or has steps that are due.
  public package(set) var isNeeded = false
  /// What has changed, in a few words each: `Person + nickname`, `Person.label → title`.
  public package(set) var changes: [String] = []
  /// The names of the plan's steps that would run, in order.
  public package(set) var steps: [String] = []
  /// The steps of the plan that the store does not need, with the reason; look here for a misspelt name.
  public package(set) var skippedSteps: [String] = []
  /// The rows that would be written but for those of steps; at most, as far as the greatest keys tell.
  public package(set) var rows = 0
  /// About how many bytes these rows take in the file.
  public package(set) var bytes = 0
  /// What would be lost.
  public package(set) var losses: [Loss] = []
  /// Why opening would fail; nothing is changed then.
  public package(set) var problems: [CauldronError] = []

  package init(store: String) { self.store = store }

  /// Whether opening would do what the forecast says.
  public var isPossible: Bool { problems.isEmpty }
}

extension MigrationForecast: CustomStringConvertible {
  /// Sentences, as a person would want them before he agrees.
  public var description: String {
    guard isNeeded || !isPossible else { return "\(store) needs no migration." }
    return (obstacles + (isNeeded ? effects : [])).joined(separator: " ")
  }

  /// Why opening would fail.
  private var obstacles: [String] {
    if isPossible { return [] }
    let attempt = isNeeded ? "migrated" : "opened"
    return ["\(store) cannot be \(attempt) as it stands:"] + problems.map(\.description)
  }

  /// What opening will do, or would do if it could be done.
  private var effects: [String] {
    let list = changes.isEmpty ? "what tables do not show" : changes.joined(separator: ", ")
    let names = steps.joined(separator: ", ")
    var sentences =
      isPossible ? ["\(store) will be migrated: \(list)."] : ["The model has changed: \(list)."]
    if !steps.isEmpty { sentences.append("These steps \(will) run: \(names).") }
    sentences += skippedSteps
    if rows > 0 {
      sentences.append(
        "At most \(rows) rows \(isPossible ? "are" : "would be") written\(steps.isEmpty ? "" : " besides those of steps"), about \(size)."
      )
    }
    sentences += losses.map(sentence)
    if losses.isEmpty { sentences.append("Nothing \(isPossible ? "is" : "would be") lost.") }
    return sentences
  }

  private var will: String { isPossible ? "will" : "would" }

  private var size: String {
    bytes < 1_000_000
      ? "\((bytes + 999) / 1000) kB" : "\(Double((bytes + 50_000) / 100_000) / 10) MB"
  }

  private func sentence(_ loss: Loss) -> String {
    let what = loss.name.contains(":") ? "values of \(loss.name)" : "objects of \(loss.name)"
    let permission = loss.isAllowed ? "which the code gives up" : "which nobody has allowed"
    let count = loss.count.map { "\($0) " } ?? "The "
    return "\(count)\(what) \(will) be lost, \(permission)."
  }
}

/// One thing in which a model differs from the one that wrote a store.
package struct ModelChange: Sendable, Hashable {
  /// What has become of it.
  package enum Kind: Sendable, Hashable {
    case added
    case removed
    case renamed(from: String)
    /// Something else than the name: what it was and what it is.
    case changed(from: String, to: String)
  }

  /// The entity's name, in the model or else in the store.
  package let entity: String
  /// The property's name; nil for the entity as a whole.
  package var property: String?
  package let kind: Kind
  /// What has to be said in the code because values of the store are lost: `fax: String` for a property,
  /// the name for an entity.
  package var loss: String?
}

extension ModelChange: CustomStringConvertible {
  /// A few words: `Person + nickname`, `Person.label → title`, `+ Company`.
  package var description: String {
    let name = property.map { "\(entity).\($0)" } ?? entity
    switch (kind, property) {
    case (.added, let property?): return "\(entity) + \(property)"
    case (.removed, let property?): return "\(entity) − \(property)"
    case (.added, nil): return "+ \(entity)"
    case (.removed, nil): return "− \(entity)"
    case (.renamed(let old), let property?): return "\(entity).\(old) → \(property)"
    case (.renamed(let old), nil): return "\(old) → \(entity)"
    case (.changed(let old, let new), _): return "\(name): \(old) → \(new)"
    }
  }
}

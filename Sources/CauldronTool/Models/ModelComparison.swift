import CauldronModel
import CauldronSQLite
import CauldronStore

/// A comparison of two models: what a migration does and loses, and all else that is different.
struct ModelComparison {
  /// The version hashes of an entity that both models have, in Base64; nil where one cannot be told.
  struct Hashes: Encodable {
    let entity: String
    let old: String?
    let new: String?
  }

  /// What is different, with what is lost.
  let changes: [ModelChange]
  /// How many values or objects go with a loss, where a store was asked.
  let counts: [String: Int]
  /// What is in the way, but for losses, which may be allowed.
  let problems: [CauldronError]
  /// What is different and needs no migration.
  let quiet: [QuietChange]
  /// The hashes that are different.
  let hashes: [Hashes]
  /// Whether each model opens the stores of the other.
  let isEqual: Bool
  /// The rows that would be written anew, where a store was asked.
  let rows: Int?

  /// - Parameters:
  ///   - old: The model that a store has, or the store itself, whose values are counted then.
  ///   - new: The model that it is to have.
  init(from old: ModelFile, to new: ModelFile) throws {
    let (source, destination) = (try old.checkedModel(), try new.checkedModel())
    let forecast = ModelForecast(from: source, to: destination)
    changes = forecast.changes
    quiet = QuietComparison(forecast, old: source, new: destination).changes
    hashes = forecast.entities.compactMap { pair in
      let hashes = (old.hash(of: pair.old.name), new.hash(of: pair.new.name))
      if let first = hashes.0, hashes.1 == first { return nil }
      let entity =
        pair.old.name == pair.new.name ? pair.new.name : "\(pair.old.name) → \(pair.new.name)"
      return Hashes(entity: entity, old: hashes.0, new: hashes.1)
    }
    isEqual =
      hashes.isEmpty && source.entityVersionHashesByName == destination.entityVersionHashesByName
    let answer = old.isStore && !isEqual ? StoreAnswer(old, to: destination) : nil
    counts = answer?.counts ?? [:]
    rows = answer?.rows
    let found = try answer?.problems ?? (isEqual ? [] : forecast.problems())
    problems = found.filter { $0.code != .migrationWouldDiscard }
  }

  var losses: [ModelChange] { changes.filter { $0.loss != nil } }

  /// How many values or objects go with a loss; nil where no store was asked.
  func count(of loss: ModelChange) -> Int? { loss.permission.flatMap { counts[$0] } }
}

/// What a store says of its migration.
private struct StoreAnswer {
  private(set) var counts: [String: Int] = [:]
  private(set) var problems: [CauldronError] = []
  private(set) var rows: Int?

  /// A store that cannot be migrated at all says so as its only problem.
  init(_ store: ModelFile, to model: ManagedObjectModel) {
    do {
      guard let report = try OutsideMigration(store.url, to: model).forecast() else { return }
      counts = Dictionary(report.losses.map { ($0.name, $0.count ?? 0) }) { first, _ in first }
      problems = report.problems
      rows = report.rows
    } catch let error as CauldronError {
      problems = [error]
    } catch {
      problems = [CauldronError(.storeCannotOpen, "\(error)", hint: "Try again.")]
    }
  }
}

/// A difference that no store shows in its tables.
struct QuietChange: Encodable, Hashable {
  let entity: String
  /// Nil where the entity or the model as a whole is different.
  let property: String?
  /// What is different: `default`, `index byName`.
  let what: String
  let old: String
  let new: String

  /// A few words without the entity: `title default none → ""`.
  var words: String {
    (property.map { "\($0) " } ?? "") + "\(what) \(old.excerpt(60)) → \(new.excerpt(60))"
  }
}

/// Finds what is different and needs no migration: defaults, bounds, rules of deletion, indexes, templates.
private struct QuietComparison {
  private let forecast: ModelForecast
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel

  init(_ forecast: ModelForecast, old: ManagedObjectModel, new: ManagedObjectModel) {
    (self.forecast, self.old, self.new) = (forecast, old, new)
  }

  var changes: [QuietChange] {
    forecast.pairs.flatMap { changes(in: $0.entity.name, from: $0.old, to: $0.new) }
      + forecast.entities.flatMap { changes(from: $0.old, to: $0.new) } + templates + configurations
  }

  private func changes(
    in entity: String, from old: PropertyDescription, to new: PropertyDescription
  ) -> [QuietChange] {
    let (before, after) = (PropertyTraits(old).traits, PropertyTraits(new).traits)
    return zip(before, after).compactMap { a, b in
      // A renamed entity or property has a renaming identifier, which the migration tells.
      if a.isMigrated || b.isMigrated || a.value == b.value || isRenaming(a, from: old, to: new) {
        return nil
      }
      return QuietChange(
        entity: entity, property: new.name, what: a.name, old: a.value, new: b.value)
    }
  }

  private func isRenaming(
    _ trait: PropertyTraits.Trait, from old: PropertyDescription, to new: PropertyDescription
  ) -> Bool {
    trait.name == "renaming identifier" && old.name != new.name
  }

  private func changes(
    from old: EntityDescription, to new: EntityDescription
  ) -> [QuietChange] {
    let gone = Set(old.uniquenessConstraints).subtracting(new.uniquenessConstraints)
    var list = gone.sorted { $0.joined() < $1.joined() }.map {
      QuietChange(
        entity: new.name, property: $0.joined(separator: " + "), what: "is", old: "unique",
        new: "any")
    }
    list += compare(transients(of: old), with: transients(of: new), in: new.name)
    list += compare(
      old.indexes.map { ("index \($0.name)", $0.words) },
      with: new.indexes.map { ("index \($0.name)", $0.words) }, in: new.name)
    list += compare(
      old.fetchedProperties.map { ("fetched property \($0.name)", $0.words) },
      with: new.fetchedProperties.map { ("fetched property \($0.name)", $0.words) }, in: new.name)
    return list
      + compare(
        [("hash modifier", old.versionHashModifier ?? "none")],
        with: [("hash modifier", new.versionHashModifier ?? "none")], in: new.name)
  }

  /// The properties that are in memory alone, with all that is said of them.
  private func transients(of entity: EntityDescription) -> [(String, String)] {
    entity.properties.compactMap { property in
      let traits = PropertyTraits(property)
      guard traits.traits.contains(where: { $0.phrase == "transient" }) else { return nil }
      return ("transient \(property.name)", "\(traits.type), \(traits.phrase)")
    }
  }

  private var templates: [QuietChange] {
    compare(
      old.fetchRequestTemplates.map { ("template \($0.name)", $0.words) },
      with: new.fetchRequestTemplates.map { ("template \($0.name)", $0.words) }, in: "")
  }

  private var configurations: [QuietChange] {
    func list(_ model: ManagedObjectModel) -> [(String, String)] {
      model.configurations.sorted { $0.key < $1.key }
        .map { ("configuration \($0.key)", $0.value.sorted().joined(separator: " ")) }
    }
    return compare(list(old), with: list(new), in: "")
  }

  private func compare(
    _ old: [(String, String)], with new: [(String, String)], in entity: String
  ) -> [QuietChange] {
    let before = Dictionary(old) { first, _ in first }
    let after = Dictionary(new) { first, _ in first }
    let names = old.map(\.0) + new.map(\.0).filter { before[$0] == nil }
    return names.compactMap { name in
      let (a, b) = (before[name] ?? "none", after[name] ?? "none")
      return a == b
        ? nil : QuietChange(entity: entity, property: nil, what: name, old: a, new: b)
    }
  }
}

import CauldronImport
import CauldronModel

/// An import to try: records, and how they are imported.
struct ImportCase: Sendable {
  let entity: String
  var records: [Node]
  var options: ImportOptions
  /// How many records are imported together.
  var size: Int
  /// Whether the text is one record, and no array.
  var isAlone = false

  var text: String {
    isAlone
      ? records[0].text
      : "[" + records.map(\.text).joined(separator: ",\n ") + "]"
  }
}

extension ImportCase: CustomStringConvertible {
  var description: String {
    let every = options.commitEvery.map { ", commits every \($0)" } ?? ""
    let stop = options.stopsAtFirst ? ", stops at first" : ""
    let skip = options.skipping > 0 ? ", skips \(options.skipping)" : ""
    let alone = isAlone ? ", alone" : ""
    let mappings = options.mappings.isEmpty ? "" : "\n  \(options.mappings)"
    return "\(entity), \(options.mode), chunks of \(size)\(every)\(stop)\(skip)\(alone)\(mappings)"
      + "\n  \(text)"
  }
}

extension ImportCase {
  /// An import into objects of a random entity.
  static func random(_ shape: Shape, using random: inout ImportRandom) -> ImportCase {
    let entity = random.pick(shape.concrete)
    var options = ImportOptions(mode: random.once(in: 3) ? .lenient : .strict)
    if random.once(in: 3) { options.commitEvery = 1 + random.below(4) }
    options.stopsAtFirst = random.once(in: 20)
    if random.once(in: 15) { options.skipping = random.below(4) }
    if random.once(in: 4) { remap(shape, &options, &random) }
    let rules = NaiveRules(shape: shape, options: options)
    let trouble = random.pick([8, 20, 60, 1_000])
    var maker = RecordMaker(rules: rules, trouble: trouble, random: random)
    let isAlone = maker.random.once(in: 12)
    let count = isAlone ? 1 : maker.random.below(maker.random.once(in: 3) ? 15 : 6)
    let records = maker.records(rules.plan(entity), count)
    random = maker.random
    // A text that is no object and no array holds no record.
    guard case .object? = records.first else {
      return ImportCase(
        entity: entity, records: records, options: options, size: 1 + random.below(5))
    }
    return ImportCase(
      entity: entity, records: records, options: options, size: 1 + random.below(5),
      isAlone: isAlone)
  }

  /// Imports one entity otherwise than the model says.
  private static func remap(
    _ shape: Shape, _ options: inout ImportOptions, _ random: inout ImportRandom
  ) {
    let name = random.pick(shape.entities).name
    var mapping = ImportMapping(alwaysInserts: random.once(in: 4))
    // What has a unique key cannot be inserted again and again.
    if shape.entities.contains(where: { shape.isKind($0.name, of: name) && !$0.unique.isEmpty })
      || shape.line(name).contains(where: { !$0.unique.isEmpty })
    {
      mapping.alwaysInserts = false
    }
    var maker = ShapeMaker(random: random)
    for relationship in shape.relationships(name) where maker.random.once(in: 2) {
      mapping.relationships[relationship.name] = maker.mapping(relationship, shape)
    }
    random = maker.random
    options.mappings = [name: mapping]
  }
}

import Cauldron
import CauldronModel
import CauldronStore
import Dispatch
import Foundation
import Logging

/// A good store of one of the models; damage is done to copies of it.
struct StoreSample {
  let species: StoreSpecies
  let rows: Int
  /// Whether the last saves are in the write-ahead log.
  let hasLog: Bool

  static let all: [StoreSample] = StoreSpecies.allCases.flatMap { species in
    [
      StoreSample(species: species, rows: 0, hasLog: false),
      StoreSample(species: species, rows: 12, hasLog: false),
      StoreSample(species: species, rows: 12, hasLog: true),
      StoreSample(species: species, rows: 300, hasLog: false),
    ]
  }

  var name: String { "\(species)-\(rows)\(hasLog ? "-log" : "")" }

  /// Where the good store lies.
  func files(in folder: URL) -> StoreFiles {
    StoreFiles(folder.appending(path: "\(name).sqlite"))
  }

  /// Where the store's copy of its model lies.
  func modelCopy(in folder: URL) -> URL { folder.appending(path: "\(name).model") }

  /// Makes the good store.
  func make(in folder: URL) throws {
    let files = files(in: folder)
    let work = StoreFiles(folder.appending(path: "making-\(name).sqlite"))
    let stack = try StoreAccess.open(work.url, try species.model())
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    for part in [0..<rows / 2, rows / 2..<rows] where !part.isEmpty {
      try context.performAndWait { context in
        var writer = SampleWriter(context: context)
        try writer.write(part, of: species)
      }
      try context.saveAndWait(toPersistentStore: true)
    }
    if hasLog { try work.copy(to: files, endings: ["", "-wal"]) }
    try stack.close()
    let copy = DamageConnection(work, keepsLog: false).bytes("SELECT Z_CONTENT FROM Z_MODELCACHE")
    try Data(copy).write(to: modelCopy(in: folder))
    if !hasLog { try work.copy(to: files, endings: [""]) }
    work.remove()
  }
}

/// How the suite opens stacks.
enum StoreAccess {
  static let queue = DispatchQueue(label: "stores.main")

  static func configuration() -> StackConfiguration {
    var configuration = StackConfiguration()
    configuration.mainQueue = queue
    configuration.synchronous = .normal
    configuration.busyTimeout = 0.5
    configuration.logger = Logger(label: "stores") { _ in SwiftLogNoOpLogHandler() }
    return configuration
  }

  static func open(
    _ url: URL, _ model: ManagedObjectModel, _ change: (inout StackConfiguration) -> Void = { _ in }
  ) throws -> Stack {
    var configuration = configuration()
    configuration.migration = .never
    change(&configuration)
    return try Stack(storeURL: url, model: model, configuration: configuration)
  }

  static func forecast(
    _ url: URL, _ model: ManagedObjectModel, _ configuration: StackConfiguration
  ) throws -> MigrationForecast {
    try Stack.migrationForecast(storeURL: url, model: model, configuration: configuration)
  }
}

/// Writes objects of a model into a context.
private struct SampleWriter {
  let context: LocalContext
  private var made: [String: [ManagedObject]] = [:]

  init(context: LocalContext) { self.context = context }

  mutating func write(_ numbers: Range<Int>, of species: StoreSpecies) throws {
    for number in numbers {
      switch species {
      case .values: try thing(number)
      case .family: try animal(number)
      case .links: try book(number)
      }
    }
  }

  private mutating func insert(_ entity: String, _ number: Int) throws -> ManagedObject {
    let object = try context.insertNewObject(forEntityName: entity)
    try object.setValue(number, forKey: "number")
    made[entity, default: []].append(object)
    return object
  }

  private mutating func thing(_ number: Int) throws {
    let object = try insert("Thing", number)
    let date = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5)
    let values: [String: Any] = [
      "integer161": Int16(number % 100), "integer321": Int32(number * 1_000),
      "integer641": number << 33, "decimal1": Decimal(number) / 4, "double1": Double(number) / 3,
      "float1": Float(number), "string1": "text \(number % 7) äß", "boolean1": number % 2 == 0,
      "date1": date, "binary1": Data(repeating: UInt8(number % 250), count: number % 400),
    ]
    for (name, value) in values.sorted(by: { $0.key < $1.key })
    where (number + name.utf8.count) % 5 > 0 {
      try object.setValue(value, forKey: name)
    }
    if number % 3 == 0 { try object.setValue(UUID(), forKey: "uuid1") }
    if number % 3 == 1 { try object.setValue(URL(string: "https://a.b/\(number)"), forKey: "uri1") }
  }

  private mutating func animal(_ number: Int) throws {
    let entity = ["Cat", "Dog", "Puppy"][number % 3]
    let object = try insert(entity, number)
    try object.setValue("animal \(number)", forKey: "name")
    if number % 2 == 0 { try object.setValue("nick \(number)", forKey: "nick") }
    if entity != "Cat" { try object.setValue(Int32(4), forKey: "legs") }
    if number % 5 == 0 { _ = try insert("Owner", number) }
    try object.setValue(made["Owner"]?.last, forKey: "owner")
    if number % 4 > 0 { try object.setValue(made["Cat"]?.first, forKey: "parent") }
  }

  private mutating func book(_ number: Int) throws {
    if number % 4 == 0 || made["Author"] == nil {
      let author = try insert("Author", number)
      try author.setValue("Author \(number)", forKey: "title")
      let tag = try insert("Tag", number)
      if number % 8 == 0 { try tag.setValue(Int32(number), forKey: "rank") }
    }
    let object = try insert("Book", number)
    try object.setValue(made["Author"]?.last, forKey: "author")
    try object.setValue(Decimal(number) / 8, forKey: "price")
    try object.setValue(String(repeating: "b", count: number % 50), forKey: "blurb")
    if number % 10 == 0 { try object.setValue(Data(count: 9_000), forKey: "cover") }
    try object.setValue(Array((made["Tag"] ?? []).suffix(1 + number % 3)), forKey: "tags")
  }
}

import CauldronModel

/// The numbers (`Z_ENT`) by which a file tells the rows of entities apart.
///
/// In memory an entity has the number of its place in the model. A file has those that the program gave
/// that made it: `Z_PRIMARYKEY` says which. Where both are the same nothing is translated.
///
/// `@unchecked Sendable` because the tables are filled in `init` and never written again.
final class FileNumbers: @unchecked Sendable {
  /// The greatest number of an entity; tables of rows are as long as the greatest one.
  static let greatest: Int64 = 65535

  /// The file's number of each entity, by its number in the model; empty where they are the same.
  let files: UnsafeMutableBufferPointer<Int32>
  /// The model's number of each entity, by its number in the file; 0 where the file has none.
  let models: UnsafeMutableBufferPointer<Int32>
  private let entityCount: Int

  /// The numbers of the model itself, which new stores get.
  init(_ model: ManagedObjectModel) {
    entityCount = model.entityLayouts.count
    files = .init(start: nil, count: 0)
    models = .init(start: nil, count: 0)
  }

  /// - Parameter numbers: The file's number of each entity in the order of the model; all different,
  ///   and from 1 to `greatest`.
  init(_ numbers: [Int32]) {
    entityCount = numbers.count
    let isSame = zip(numbers, 1...).allSatisfy { Int($0) == $1 }
    files = .allocate(capacity: isSame ? 0 : numbers.count + 1)
    models = .allocate(capacity: isSame ? 0 : Int(numbers.max() ?? 0) + 1)
    files.initialize(repeating: 0)
    models.initialize(repeating: 0)
    guard !isSame else { return }
    for (index, number) in numbers.enumerated() {
      files[index + 1] = number
      models[Int(number)] = Int32(index + 1)
    }
  }

  deinit {
    files.deallocate()
    models.deallocate()
  }

  /// Whether the file has the numbers of the model.
  var areSame: Bool { files.isEmpty }

  /// The file's number of an entity; a join has none in the file, and keeps its own.
  subscript(layout: EntityLayout) -> Int32 {
    layout.isJoin || areSame ? layout.number : files[Int(layout.number)]
  }

  /// The model's number of an entity of the file; nil where the model has no such entity.
  func model(_ number: Int64) -> Int32? {
    if areSame { return 1...Int64(max(1, entityCount)) ~= number ? Int32(number) : nil }
    guard number > 0, number < models.count, models[Int(number)] > 0 else { return nil }
    return models[Int(number)]
  }
}

extension StoreSchema {
  /// The number of an entity in the file.
  func number(of layout: EntityLayout) -> Int32 { numbers[layout] }

  /// The entity that has a number in the file.
  func layout(fileNumber: Int64) -> EntityLayout? {
    numbers.model(fileNumber).flatMap { model.layout(number: $0) }
  }

  /// The numbers of entities as SQL takes a list of them.
  func numberList(_ layouts: some Sequence<EntityLayout>) -> String {
    layouts.map { "\(number(of: $0))" }.joined(separator: ", ")
  }

  /// The numbers of an entity and all below it, as SQL takes a list of them.
  func familyNumberList(_ layout: EntityLayout) -> String {
    numberList(layout.family.map(\.entity))
  }

  /// The condition that a number is one of a family; a range where the numbers follow one another.
  func includes(_ number: String, in layout: EntityLayout) -> String {
    "\(number) IN (\(familyNumberList(layout)))"
  }
}

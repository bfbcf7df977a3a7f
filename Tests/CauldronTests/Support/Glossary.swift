import Cauldron
import Foundation
import TestSupport

/// A word that things are found by.
@Entity final class Keyword: ManagedObject {
  #Unique<Keyword>([\.name], [\.kind, \.order])
  #Index<Keyword>([\.count, \.kind])
  var name: String?
  var kind: String?
  var order: Int = 0
  var count: Int = 0
  var token: UUID = UUID()
  @Relationship var remarks: ToMany<Remark>
}

@Entity final class Remark: ManagedObject {
  @Attribute(.unique) var text: String?
  @Attribute(.indexed) var stars: Int = 0
  @Relationship(inverse: \Keyword.remarks) var tag: Keyword?
}

/// What there may be once of numbers that are spelt in several ways, or are none.
@Entity final class Price: ManagedObject {
  @Attribute(.unique) var amount: Decimal?
  @Attribute(.unique) var weight: Double?
}

/// Comes with a shelf of its own where its label says so.
@Entity final class Folder: ManagedObject {
  @Attribute(.unique) var label: String?
  @Relationship(inverse: \Shelf.binders) var shelf: Shelf?

  override func awakeFromInsert() {
    guard label == "auto", let context = managedObjectContext else { return }
    shelf = Shelf.create(in: context)
  }
}

@Entity final class Shelf: ManagedObject {
  var floor: Int = 0
  @Relationship var binders: ToMany<Folder>
}

enum Glossary {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Keyword._describeEntity(), Remark._describeEntity(), Price._describeEntity(),
      Folder._describeEntity(), Shelf._describeEntity(),
    ])
  }

  static func bench(
    _ kind: StoreKind = .memory, _ adapt: (inout StackConfiguration) -> Void = { _ in }
  ) throws -> Bench {
    try Bench(kind, model: model(), adapt)
  }
}

extension Keyword {
  @discardableResult
  static func named(_ name: String?, in context: ManagedObjectContext) -> Keyword {
    let tag = create(in: context)
    tag.name = name
    return tag
  }
}

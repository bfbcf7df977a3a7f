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

enum Glossary {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [Keyword._describeEntity(), Remark._describeEntity()])
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

import Cauldron
import Foundation
import Testing

/// One end of a one-to-one relationship into a hierarchy.
@Entity final class Chair: ManagedObject {
  var number: Int = 0
  var note: String = ""
  @Relationship(inverse: \Sitter.chair) var sitter: Sitter?
}

/// The other end.
@Entity class Sitter: ManagedObject {
  var number: Int = 0
  var note: String = ""
  @Relationship var chair: Chair?
}

/// An entity that inherits its end.
@Entity final class Jury: Sitter {
  var vote: Int = 0
}

enum Pairs {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [Chair._describeEntity(), Sitter._describeEntity(), Jury._describeEntity()])
  }

  /// Makes three chairs and three sitters, numbered from 1; the context is not saved.
  static func furnish(_ maker: ManagedObjectContext) {
    for number in 1...3 {
      Chair.create(in: maker).number = number
      Sitter.create(in: maker).number = number
    }
  }

  /// A stack in which sitter 1 has chair 1, and a context with a child.
  static func family() throws -> (Bench, middle: ManagedObjectContext, child: ManagedObjectContext)
  {
    let bench = try Bench(.memory, model: model())
    let maker = bench.committed()
    furnish(maker)
    try maker.chair(1)?.sitter = maker.sitter(1)
    try maker.save()
    let middle = bench.child("Middle")
    return (bench, middle, bench.child("Child", of: middle))
  }

  /// The sitters by chairs; an issue is recorded where a link is half.
  static func links(
    in context: ManagedObjectContext, _ location: SourceLocation = #_sourceLocation
  ) throws -> [Int: Int] {
    try context.performAndWait { local in
      #expect(try halves(in: local.context) == [], sourceLocation: location)
      return try Chair.findAll(in: local.context)
        .reduce(into: [:]) { $0[$1.number] = $1.sitter?.number }
    }
  }

  /// The links that one end knows of and the other one not, in the rows that a context fetches.
  static func halves(in context: some ObjectContext) throws -> [String] {
    let (chairs, sitters) = (try Chair.findAll(in: context), try Sitter.findAll(in: context))
    let torn = chairs.filter { $0.sitter != nil && $0.sitter?.chair !== $0 }
    let alone = sitters.filter { $0.chair != nil && $0.chair?.sitter !== $0 }
    return torn.map { "chair \($0.number)" } + alone.map { "sitter \($0.number)" }
  }

  static let policies: [MergePolicy] = [
    .error, .strict, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]
}

extension ObjectContext {
  func chair(_ number: Int) throws -> Chair? {
    try Chair.findFirst(where: \.number == number, in: self)
  }

  func sitter(_ number: Int) throws -> Sitter? {
    try Sitter.findFirst(where: \.number == number, in: self)
  }
}

/// Takes an object from one block of its context to the next.
final class Handle<Object>: @unchecked Sendable {
  let object: Object
  init(_ object: Object) { self.object = object }
}

import Cauldron
import CauldronModel
import Foundation
import TestSupport

@Entity final class Chore: ManagedObject {
  @Attribute(.length(1...10)) var name: String = "task"
  @Attribute(.range(0...5)) var priority: Int16 = 0
  @Attribute(.range(0.0...1.0)) var share: Double = 0
  @Attribute(.range(Date.distantPast...Workshop.closing)) var due: Date?
  @Attribute(.matches("[a-z]+@[a-z.]+")) var mail: String?
  @Attribute(.check("must be even") { (count: Int) in count.isMultiple(of: 2) }) var count: Int = 0
  @Attribute(.range(...Duration.seconds(60))) var effort: Duration?
  @Attribute(.range(0...100)) var price: Decimal?
  @Attribute(.matches("red|green")) var color: Color = .red
  @Relationship(.required, inverse: \Project.tasks) var project: Project?
}

enum Color: String, Sendable { case red, green, blue }

@Entity final class Project: ManagedObject {
  var title: String = ""
  @Relationship(minCount: 2, maxCount: 4) var tasks: ToMany<Chore>
  @Relationship(.required, inverse: \Helper.project, maxCount: 3) var helpers: ToMany<Helper>
}

@Entity final class Helper: ManagedObject {
  var name: String = ""
  @Relationship var project: Project?
}

enum Workshop {
  static let closing = Date(timeIntervalSinceReferenceDate: 1_000_000)

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [Chore.self, Project.self, Helper.self].map { $0._describeEntity() })
  }

  static func bench(_ kind: StoreKind = .memory) throws -> Bench {
    try Bench(kind, model: model())
  }

  /// A project with as many tasks and helpers as it must have.
  @discardableResult
  static func project(
    tasks: Int = 0, helpers: Int = 1, in context: ManagedObjectContext
  ) -> Project {
    Project.create(in: context).with(tasks: tasks, helpers: helpers)
  }
}

extension Project {
  /// Gives the project new tasks and helpers.
  @discardableResult
  func with(tasks: Int = 0, helpers: Int = 1) -> Project {
    guard let context = managedObjectContext else { return self }
    for _ in 0..<tasks { self.tasks.insert(Chore.create(in: context)) }
    for _ in 0..<helpers { self.helpers.insert(Helper.create(in: context)) }
    return self
  }
}

import Cauldron
import Foundation

extension Contest {
  /// The parts of one box, by the box's label; a hundred boxes in each run.
  static func join(_ count: Int) -> Contest {
    related("query \(grouped(count)) through a relationship, 100 times", count, RawQueries.join) {
      let label = "box \($0 % max(1, $1))"
      return (
        {
          try Part.findAll(where: { $0.box.label == label }, in: $0).reduce(0) { $0 &+ $1.number }
        },
        { RawQueries.numbers($0.bind(label)) }
      )
    }
  }

  /// The boxes with one of the last parts.
  static func quantifier(_ count: Int) -> Contest {
    let number = count - count / 100
    return related(
      "query by what any of \(grouped(count)) related has", count, RawQueries.quantifier, 1
    ) { _, _ in
      (
        { local in
          try Box.findAll(where: { $0.parts.any { $0.number >= number } }, in: local)
            .reduce(0) { $0 &+ $1.label.utf8.count }
        },
        { RawQueries.texts($0.bind(number)) }
      )
    }
  }

  private typealias Question = (
    ours: (LocalContext) throws -> Int, raw: (RawStatement) -> Int
  )

  private static func related(
    _ name: String, _ count: Int, _ sql: String, _ times: Int = 100,
    _ question: @escaping (Int, Int) -> Question
  ) -> Contest {
    Contest(
      name, operations: times, targets: [Target(.ratio(.raw), 1.3)], note: "one attribute read"
    ) { _ in
      let store = try FilledStore(0)
      let boxes = max(1, count / 100)
      try store.makeBoxes(boxes, parts: 100)
      let statement = try store.raw().prepare(sql)
      let questions = (0..<times).map { question($0 * 7, boxes) }
      return [
        store.asking { local in try questions.reduce(0) { $0 &+ (try $1.ours(local)) } },
        store.lane(.raw) { questions.reduce(0) { $0 &+ $1.raw(statement) } },
      ]
    }
  }
}

extension FilledStore {
  /// A lane that asks in a context of its own, which goes with its objects while the clock runs.
  func asking(_ question: @escaping (LocalContext) throws -> Int) -> Lane<Contender> {
    Lane(.ours) {
      try withExtendedLifetime(self) {
        try measure {
          let context = self.stack.child()
          consume(try context.performAndWait { try question($0) })
        }
      }
    }
  }

  fileprivate func makeBoxes(_ count: Int, parts: Int) throws {
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    for number in 0..<count {
      let box = Box.create(in: context)
      box.label = "box \(number)"
      for part in 0..<parts {
        let made = Part.create(in: context)
        made.number = number * parts + part
        made.box = box
      }
    }
    try context.saveAndWait(toPersistentStore: true)
  }
}

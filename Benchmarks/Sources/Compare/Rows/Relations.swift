import Cauldron
import Foundation

extension Contest {
  static func relations(_ settings: Settings) -> [Contest] {
    let count = settings.size(100_000)
    return [links(count), children(count, of: 1), children(count, of: count), cascade(count)]
  }

  private static func links(_ count: Int) -> Contest {
    Contest(
      "relate \(grouped(count)) times, many-to-many, and save",
      targets: [Target(.ratio(.raw), 1.5)],
      note: "100 labels, fetched before; join table of Core Data"
    ) { _ in
      let (notes, labels) = (count / 100, 100)
      // The order of the work: note by note.
      let pairs = (0..<notes).flatMap { note in
        (0..<labels).map { (Int64($0 + 1), Int64(note + 1)) }
      }
      return [
        Lane(.ours) { try ourLinks(notes, labels) },
        Lane(.raw) {
          try rawSample(RawRelations.linkSchema) { database in
            let statement = try database.prepare(RawRelations.link)
            return try measure { try RawRelations.run(statement, pairs) }
          }
        },
      ]
    }
  }

  private static func children(_ count: Int, of owners: Int) -> Contest {
    let many = owners == 1 ? "one owner" : "\(grouped(owners)) owners"
    return Contest(
      "give \(grouped(count)) new children to \(many), and save",
      note: "owners fetched before; the version of each grows, raw: by one statement"
    ) { _ in
      [
        Lane(.ours) { try ourChildren(count, of: owners) },
        Lane(.raw) {
          try rawSample(RawRelations.treeSchema) { database in
            try RawRelations.sow(owners, database)
            return try measure { try RawRelations.give(count, to: owners, database) }
          }
        },
      ]
    }
  }

  private static func cascade(_ count: Int) -> Contest {
    Contest(
      "delete a tree of \(grouped(count)) by cascade, and save",
      note: "nothing fetched before; raw: one recursive statement"
    ) { _ in
      [
        Lane(.ours) { try ourCascade(count) },
        Lane(.raw) {
          try rawSample(RawRelations.treeSchema) { database in
            try RawRelations.plant(count, database)
            return try measure { try database.execute(RawRelations.fell) }
          }
        },
      ]
    }
  }

  private static func ourLinks(_ notes: Int, _ labels: Int) throws -> Sample {
    try ourSample { stack in
      let filling = stack.child()
      for number in 0..<notes { Note.create(in: filling).number = number }
      for number in 0..<labels { Label.create(in: filling).number = number }
      try filling.saveAndWait(toPersistentStore: true)
      let context = stack.child()
      return try context.performAndWait { local in
        let (notes, labels) = (try Note.findAll(in: local), try Label.findAll(in: local))
        return try measure {
          for note in notes { note.labels.insert(contentsOf: labels) }
          try context.saveAndWait(toPersistentStore: true)
        }
      }
    }
  }

  private static func ourChildren(_ count: Int, of owners: Int) throws -> Sample {
    try ourSample { stack in
      let filling = stack.child()
      for number in 0..<owners { Twig.create(in: filling).number = number }
      try filling.saveAndWait(toPersistentStore: true)
      let context = stack.child()
      return try context.performAndWait { local in
        let stems = try Twig.findAll(in: local)
        return try measure {
          for number in 0..<count {
            let twig = Twig.create(in: local)
            twig.number = number
            twig.stem = stems[number % owners]
          }
          try context.saveAndWait(toPersistentStore: true)
        }
      }
    }
  }

  private static func ourCascade(_ count: Int) throws -> Sample {
    try ourSample { stack in
      let filling = stack.child()
      var twigs: [Twig] = []
      for number in 0..<count {
        let twig = Twig.create(in: filling)
        twig.number = number
        if number > 0 { twig.stem = twigs[(number - 1) / 10] }
        twigs.append(twig)
      }
      try filling.saveAndWait(toPersistentStore: true)
      twigs = []
      let context = stack.child()
      return try context.performAndWait { local in
        guard let root = try Twig.findFirst(where: \.number == 0, in: local) else {
          throw RawFailure(code: 0, message: "no tree")
        }
        return try measure {
          root.delete()
          try context.saveAndWait(toPersistentStore: true)
        }
      }
    }
  }

  private static func ourSample(_ work: (Stack) throws -> Sample) throws -> Sample {
    let url = try Scratch.file()
    defer { Scratch.remove(url) }
    let stack = try OurStack.open(
      url,
      entities: [Twig._describeEntity(), Note._describeEntity(), Label._describeEntity()])
    let sample = try work(stack)
    try stack.close()
    return sample
  }

  private static func rawSample(
    _ schema: String, _ work: (RawDatabase) throws -> Sample
  ) throws -> Sample {
    let url = try Scratch.file()
    defer { Scratch.remove(url) }
    let database = try RawDatabase(url)
    try database.execute(schema)
    return try work(database)
  }
}

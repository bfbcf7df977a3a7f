import Cauldron
import Foundation

extension Contest {
  /// The model changes, and the store is opened with the new one.
  static func migrations(_ settings: Settings) -> [Contest] {
    let count = settings.size(1_000_000)
    return [
      Contest(
        "migrate \(grouped(count)) rows: one attribute with default added, one renamed",
        targets: [Target(.ratio(.raw), 1.3)],
        note: "both with the commit and until the file is closed"
      ) { _ in
        let old = try OldStore(count)
        return [
          Lane(.ours) {
            try old.timed { url in try OurStack.open(url, item: OldStore.newItem()).close() }
          },
          Lane(.raw) {
            try old.timed { url in
              let database = try RawDatabase(url)
              try database.transaction {
                try database.execute("ALTER TABLE ZITEM ADD COLUMN ZRANK INTEGER")
                try database.execute("UPDATE ZITEM SET ZRANK = 7")
                try database.execute("ALTER TABLE ZITEM RENAME COLUMN ZTITLE TO ZCAPTION")
              }
            }
          },
        ]
      },
      Contest(
        "forecast of that migration, \(grouped(count)) rows",
        targets: [Target(.operation, 50_000_000)], note: "nothing can be lost"
      ) { _ in
        let old = try OldStore(count)
        let model = try OurStack.model(OldStore.newItem())
        return [
          Lane(.ours) {
            try old.timed { url in
              consume(try Stack.migrationForecast(storeURL: url, model: model).rows)
            }
          }
        ]
      },
    ]
  }
}

/// A store with items, of which each run gets a copy.
private final class OldStore {
  private let url: URL

  init(_ count: Int) throws {
    url = try Scratch.file()
    try OurStack.fill(url, count)
  }

  deinit { Scratch.remove(url) }

  /// Items whose titles are captions, and which have a rank.
  static func newItem() -> EntityDescription {
    var item = EntityDescription(
      name: "Item",
      properties: Item._describeEntity().properties.filter { $0.name != "title" })
    var caption = AttributeDescription(name: "caption", type: .string, isOptional: false)
    caption.originalNames = ["title"]
    item.properties.append(.attribute(caption))
    item.properties.append(
      .attribute(
        AttributeDescription(
          name: "rank", type: .integer64, isOptional: false, default: .constant(.integer(7)))))
    return item
  }

  /// Times work on a copy that is on the disk already.
  func timed(_ work: (URL) throws -> Void) throws -> Sample {
    let copy = try Scratch.file()
    defer { Scratch.remove(copy) }
    try FileManager.default.copyItem(at: url, to: copy)
    let file = try FileHandle(forWritingTo: copy)
    try file.synchronize()
    try file.close()
    return try measure { try work(copy) }
  }
}

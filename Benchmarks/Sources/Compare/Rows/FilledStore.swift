import Cauldron
import Foundation
import GRDB

/// Stores with items, opened by each contender on the same file.
final class FilledStore {
  let url: URL
  let stack: Stack

  init(_ count: Int, isScoreUnique: Bool = false) throws {
    url = try Scratch.file()
    try OurStack.fill(url, count, isScoreUnique: isScoreUnique)
    stack = try OurStack.open(url, isScoreUnique: isScoreUnique)
  }

  deinit {
    try? stack.close()
    Scratch.remove(url)
  }

  /// Connections for reading, with the cache that our readers have.
  func raw() throws -> RawDatabase { try RawDatabase(url, cache: 16_384) }

  func records() throws -> DatabaseQueue { try Records.open(url, cache: 16_384) }

  /// Fetches every item in a context that lasts as long as the work, as do the objects.
  func ours(_ digest: @escaping (Item) -> Int) -> Lane<Contender> {
    Lane(.ours) {
      try measure {
        let context = self.stack.child()
        let sum = try context.performAndWait { local in
          try Item.findAll(in: local).reduce(0) { $0 &+ digest($1) }
        }
        consume(sum)
      }
    }
  }

  func lane(_ key: Contender, _ work: @escaping () throws -> Int) -> Lane<Contender> {
    Lane(key) {
      try withExtendedLifetime(self) { try measure { consume(try work()) } }
    }
  }
}

import Cauldron
import Foundation

extension Contest {
  /// Each contender in a process of its own, so that nothing but its objects is in the figures.
  static func memories(_ settings: Settings) -> [Contest] {
    let fetched = settings.size(740_300)
    let inserted = settings.size(300_000)
    return [
      Contest("memory per fetched object, \(grouped(fetched))") { settings in
        let url = try Scratch.file()
        try OurStack.fill(url, fetched)
        return [
          try memory(
            "memory per fetched object, \(grouped(fetched))", .fetched, url, fetched, 130)
        ]
      },
      Contest("memory per inserted object, \(grouped(inserted))") { settings in
        let url = try Scratch.file()
        return [
          try memory(
            "memory per inserted object, \(grouped(inserted))", .inserted, url, inserted, 200)
        ]
      },
    ]
  }

  private static func memory(
    _ name: String, _ kind: MemoryKind, _ url: URL, _ count: Int, _ limit: Double
  ) throws -> Outcome {
    func figure(_ who: Contender) throws -> MemoryFigure {
      try ChildProcess.run(
        ["memory", kind.rawValue, who.rawValue, url.path, "\(count)"], as: MemoryFigure.self)
    }
    let ours = try figure(.ours)
    let raw = try figure(.raw)
    let data = ItemValues.dataBytes(ItemValues.make(min(count, 100_000)))
    return Outcome(
      name: name, targets: [Target(.bytes, limit)],
      note: "beyond \(Int(data)) bytes of data; an array of structs \(Int(raw.bytes - data))",
      bytes: ours.bytes - data, peakRSS: ours.peak)
  }
}

/// What the memory is used for.
enum MemoryKind: String {
  case fetched
  case inserted
  case saved
  case imported
  case importedAgain
  case importedInSteps

  /// Resident bytes for each object; runs in a process of its own.
  func measure(_ who: Contender, _ url: URL, _ count: Int) throws -> MemoryFigure {
    switch (self, who) {
    case (.fetched, .ours): return try fetched(url)
    case (.fetched, _): return try rawFetched(url)
    case (.inserted, .ours): return try inserted(url, count)
    case (.inserted, _): return figure(count) { ItemValues.make(count) }
    case (.saved, _): return try saved(url, count)
    case (.imported, _): return try ImportMemory.ofNew(url, count)
    case (.importedAgain, _): return try ImportMemory.ofUnchanged(url, count)
    case (.importedInSteps, _): return try ImportMemory.ofNew(url, count, commitEvery: 5_000)
    }
  }

  private func fetched(_ url: URL) throws -> MemoryFigure {
    let stack = try OurStack.open(url)
    let context = stack.child()
    return try context.performAndWait { local in
      // Fills the connection's page cache, which is no part of an object.
      let count = try Item.count(where: .contains(\.title, "?") || \.age >= 0, in: local)
      return try figure(count) { try Item.findAll(in: local) }
    }
  }

  private func rawFetched(_ url: URL) throws -> MemoryFigure {
    let statement = try RawDatabase(url, cache: 16_384).prepare(RawItems.selection)
    let count = RawItems.fetchIntegers(statement).count
    return figure(count) { RawItems.fetch(statement) }
  }

  private func inserted(_ url: URL, _ count: Int) throws -> MemoryFigure {
    let stack = try OurStack.open(url)
    let context = stack.child()
    return figure(count) { () -> ManagedObjectContext in
      // In pieces, so that the plain values do not count.
      for start in stride(from: 0, to: count, by: 1_000) {
        Item.create(ItemValues.make(min(1_000, count - start), from: start), in: context)
      }
      return context
    }
  }

  /// What many saves of one row leave behind, each from a context of its own.
  private func saved(_ url: URL, _ count: Int) throws -> MemoryFigure {
    let stack = try OurStack.open(url)
    // Fills the caches of the connections, and whatever else is made once.
    try OneRowSaves.run(stack, count, 1)
    return try figure(count) {
      for age in 2...4 { try OneRowSaves.run(stack, count, age) }
      return stack
    }
  }

  /// What is resident more for keeping the result.
  private func figure<Kept>(_ count: Int, _ work: () throws -> Kept) rethrows -> MemoryFigure {
    let before = Memory.resident()
    let kept = try work()
    let after = Memory.resident()
    return withExtendedLifetime(kept) {
      MemoryFigure(bytes: Double(after - before) / Double(max(1, count)), peak: Memory.peak())
    }
  }
}

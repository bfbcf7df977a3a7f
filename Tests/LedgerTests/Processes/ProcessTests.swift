import Cauldron
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SoakProgram.isUsable, SoakProgram.skip)) struct ProcessTests {
  @Test func `a process that is killed while it saves loses nothing that it reported`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let outcome = try await SoakProgram.run([
      "kill", "--count", "10", "--seed", "1", "--dir", directory.url.path,
    ])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("10 killed, 0 lost, 0 torn, 0 corrupt"), "\(outcome.output)")
  }

  @Test func `the file has what each of thousands of saves was told, and nothing else`()
    async throws
  {
    let outcome = try await SoakProgram.run(["ledger", "--count", "4", "--saves", "1500"])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains(" 0 lost, 0 false answers"), "\(outcome.output)")
  }

  /// The second time they discard half of what they make.
  @Test func `eight contexts in two processes that find or create the same names get one of each`()
    async throws
  {
    let outcome = try await SoakProgram.run(["names", "--count", "2"])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains(" 0 lost, 0 doubled, 0 wrong"), "\(outcome.output)")
  }

  @Test func `two processes that insert into one file never get the same identifier`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let url = directory.file("parcels.sqlite")
    let stack = try Parcels.makeStack(url)
    // The file is there before the other process looks for it.
    var mine = try await insert(0, stack)
    async let other = SoakProgram.run(["insert", url.path, "\(Self.saves)", "\(Self.rows)"])
    for number in 1..<Self.saves { mine += try await insert(number, stack) }
    let outcome = try await other
    #expect(outcome.status == 0, "\(outcome.output)")
    let theirs = outcome.output.split(separator: "\n").map(String.init)
    #expect(theirs.count == Self.saves * Self.rows)
    let all = mine + theirs
    #expect(Set(all).count == all.count, "an identifier was given twice")
    let found = try await stack.rootSavingContext.perform { context in
      let request = FetchRequest<ManagedObject>(entityName: "Parcel")
      return try context.fetch(request).map(\.objectID.description)
    }
    #expect(Set(found) == Set(all))
    #expect(found.count == all.count)
    try stack.close()
  }

  private static let saves = 30
  private static let rows = 40

  private func insert(_ number: Int, _ stack: Stack) async throws -> [String] {
    let context = ManagedObjectContext.contextWithParent(stack.defaultContext)
    let ids = try await context.perform { context in
      try (0..<Self.rows).map { _ in
        let parcel = try context.insertNewObject(forEntityName: "Parcel")
        try parcel.setValue(number, forKey: "number")
        try parcel.setValue("first", forKey: "sender")
        return parcel.objectID
      }
    }
    try await context.save(toPersistentStore: true)
    // Not before: while the other process writes they are provisional.
    return ids.map(\.description)
  }
}

import Cauldron
import TestSupport
import Testing

@testable import CauldronImport

/// Objects that have one key.
@Suite(.againstHanging) struct KeyHoldersTests {
  @Test func theyAreKeptInTheirOrder() async throws {
    let count = try await Depot().read { context in
      let objects = (0..<3).map { _ in Note.create(in: context) }
      var holders = KeyHolders()
      for object in objects { holders.append(object) }
      var seen: [ManagedObject] = []
      func look(at object: ManagedObject) throws(Refusal) { seen.append(object) }
      try holders.forEach(look)
      #expect(seen.map(ObjectIdentifier.init) == objects.map(ObjectIdentifier.init))
      #expect(holders.contains { $0 === objects[2] })
      holders.removeLast()
      #expect(!holders.contains { $0 === objects[2] } && holders.contains { $0 === objects[1] })
      holders.removeLast()
      holders.removeLast()
      #expect(holders.isEmpty)
      holders.append(objects[1])
      return holders.isEmpty ? 0 : 1
    }
    #expect(count == 1)
  }

  /// The square of so many would take minutes.
  @Test func manyOfThemAreAddedAsFastAsFew() async throws {
    let isOther = try await Depot().read { context in
      let objects = [Note.create(in: context), Note.create(in: context)]
      var holders = KeyHolders()
      for number in 0..<400_000 { holders.append(objects[number % 2]) }
      return holders.contains { $0 !== objects[0] }
    }
    #expect(isOther)
  }
}

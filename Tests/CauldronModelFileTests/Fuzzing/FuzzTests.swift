import CauldronArchive
import CauldronModel
import CauldronModelFile
import CauldronModelXML
import Foundation
import TestSupport
import Testing

@Suite("Archives from anywhere")
struct FuzzTests {
  /// How many mutations each test tries; CAULDRON_FUZZ asks for more.
  private static let count =
    ProcessInfo.processInfo.environment["CAULDRON_FUZZ"].flatMap(Int.init) ?? 500
  /// The most processor time for one, in seconds.
  private static let longest = 0.05 * slack

  @Test("A damaged archive gives a model or a failure, soon", .againstHanging)
  func archives() {
    Self.run(SampleModel.stored.archive()) { bytes throws(ArchiveFailure) in
      try StoredModel(archive: bytes)
    }
  }

  @Test("A damaged cache gives a model or a failure, soon", .againstHanging)
  func caches() {
    Self.run(SampleModel.stored.cache()) { bytes throws(ArchiveFailure) in
      try StoredModel(cache: bytes)
    }
  }

  @Test(
    "A damaged model of Core Data's gives a model or a failure, soon", .againstHanging,
    .enabled(if: Fixtures.exists("CoreDataPlus"), Fixtures.skip("CoreDataPlus")),
    arguments: ModelFixture.all)
  func fixtures(fixture: ModelFixture) {
    Self.run(fixture.bytes, Self.count / 10) { bytes throws(ArchiveFailure) in
      fixture.isCache ? try StoredModel(cache: bytes) : try StoredModel(archive: bytes)
    }
  }

  @Test("A damaged source gives a model or a failure, soon", .againstHanging)
  func sources() {
    let source = Array(SampleModel.source.utf8)
    Self.run(source) { bytes throws(XMLFailure) in try StoredModel(source: bytes) }
  }

  /// Reads mutations of some bytes, and builds and writes what is read.
  private static func run<Failure: Error>(
    _ bytes: [UInt8], _ count: Int = count,
    _ read: ([UInt8]) throws(Failure) -> StoredModel
  ) {
    var generator = SeededGenerator(seed: UInt64(bytes.count))
    var (models, slowest) = (0, 0.0)
    for _ in 0..<count {
      let mutation = mutated(bytes, &generator)
      let start = threadSeconds
      let model = try? read(mutation)
      slowest = max(slowest, threadSeconds - start)
      guard let model else { continue }
      models += 1
      // Whatever was read can be written, and most of it is refused by a model.
      _ = model.archive()
      _ = try? model.hashes()
    }
    #expect(slowest < longest)
    #expect(models < count)
    if ProcessInfo.processInfo.environment["CAULDRON_FUZZ"] != nil {
      print("\(count) mutations, \(models) are models, the slowest took \(slowest) s")
    }
  }

  /// The bytes with some damage.
  private static func mutated(
    _ bytes: [UInt8], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var result = bytes
    repeat {
      let place = Int.random(in: 0..<result.count, using: &generator)
      let end = min(result.count, place + Int.random(in: 1...8, using: &generator))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...2: result[place] = UInt8.random(in: 0...255, using: &generator)
      case 3: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 4: result[place] = generator.pick([0, 1, 0x7F, 0x80, 0xFF, result[place] &+ 1])
      case 5: result.insert(contentsOf: Array(result[place..<end]), at: place)
      case 6 where end - place < result.count: result.removeSubrange(place..<end)
      case 7 where generator.once(in: 4) && place > 0: result.removeLast(result.count - place)
      default: result[result.count - 1 - place % min(32, result.count)] ^= 1
      }
    } while !generator.once(in: 3)
    return result
  }
}

import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Entity final class Song: ManagedObject {
  var length: Duration
  var pause: Duration = .milliseconds(500)
  var fade: Duration?
}

/// A Duration is kept as whole nanoseconds, and nothing else of it is lost in silence.
@Suite(.againstHanging) struct DurationTests {
  private static let kept: [Duration] = [
    .zero, .nanoseconds(1), .nanoseconds(-1), .seconds(200), .milliseconds(-1_500),
    .nanoseconds(Int64.max), .nanoseconds(Int64.min + 1),
  ]

  private static let refused: [Duration] = [
    .seconds(1) / 3, Duration(secondsComponent: 0, attosecondsComponent: 1),
    Duration(secondsComponent: 0, attosecondsComponent: -999_999_999),
    .nanoseconds(Int64.min), .nanoseconds(Int64.max) + .nanoseconds(1), .seconds(Int64.max),
    .seconds(Int64.min),
  ]

  private func bench(_ kind: StoreKind = .file) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(entities: [Song._describeEntity()]))
  }

  @Test(arguments: StoreKind.allCases) func `is stored and read back`(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let context = bench.child()
    for length in Self.kept {
      let song = Song.create(in: context)
      #expect(song.length == .zero && song.pause == .milliseconds(500) && song.fade == nil)
      song.length = length
      song.fade = length
      #expect(song.length == length && song.fade == length)
    }
    try context.saveAndWait(toPersistentStore: true)
    let found = try Song.findAll(sortedBy: \.length, in: bench.committed())
    #expect(found.map(\.length) == Self.kept.sorted())
    #expect(found.map(\.fade) == Self.kept.sorted())
  }

  @Test(arguments: refused) func `what is finer or longer fails the save`(
    _ length: Duration
  ) throws {
    let bench = try bench()
    let context = bench.child()
    let song = Song.create(in: context)
    song.length = length
    #expect(song.length == .zero)
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationNotEncodable && error?.property == "length")
    #expect(error?.message.contains("whole nanoseconds") == true)
    song.length = .seconds(1)
    song.fade = length
    #expect(song.fade == .zero)
    let second = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(second?.property == "fade")
    song.fade = nil
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Song.count(in: bench.committed()) == 1)
  }

  @Test func `is compared as a number`() throws {
    let bench = try bench()
    let context = bench.child()
    for seconds in 1...5 { Song.create(in: context).length = .seconds(seconds) }
    try context.saveAndWait(toPersistentStore: true)
    for context in [context, bench.child()] {
      #expect(try Song.count(where: \.length > .seconds(3), in: context) == 2)
      #expect(try Song.count(where: \.length == .milliseconds(2_000), in: context) == 1)
      #expect(try Song.count(where: .isIn(\.length, [.seconds(1), .seconds(9)]), in: context) == 1)
      #expect(try Song.count(where: \.length <= .seconds(2), in: context) == 2)
    }
  }

  @Test func `a comparison with what cannot be stored says so`() throws {
    let context = try bench().child()
    for length in Self.refused {
      let error = cauldronError { _ = try Song.count(where: \.length < length, in: context) }
      #expect(error?.code == .queryTypeMismatch)
      #expect(
        cauldronError { _ = try Song.count(where: .isIn(\.fade, [length]), in: context) } != nil)
    }
  }

  @Test func `is set and read by key as nanoseconds`() throws {
    let song = Song.create(in: try bench().child())
    try song.setValue(Duration.seconds(2), forKey: "length")
    #expect(song.length == .seconds(2) && song.value(forKey: "length") as? Int == 2_000_000_000)
    try song.setValue(5, forKey: "length")
    #expect(song.length == .nanoseconds(5))
  }

  @Test func `is an Integer 64 to other programs`() throws {
    let entity = Song._describeEntity()
    let other = EntityDescription(
      name: "Song",
      properties: [
        .attribute(AttributeDescription(name: "length", type: .integer64, isOptional: false)),
        .attribute(AttributeDescription(name: "pause", type: .integer64, isOptional: false)),
        .attribute(AttributeDescription(name: "fade", type: .integer64)),
      ])
    let hashes = try [entity, other].map { entity in
      try ManagedObjectModel(entities: [entity]).entityVersionHashesByName["Song"]
    }
    #expect(hashes[0] != nil && hashes[0] == hashes[1])
  }
}

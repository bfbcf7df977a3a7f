import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// What comes from outside takes time in proportion to its length: texts, conditions, models, refusals.
///
/// The processor time of the calling thread counts, at one, two and four times a length: the least of some
/// rounds, because other tests disturb.
@Suite(
  .againstHanging, .ownThread, .serialized,
  .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time"))
struct OutsideProportionTests {
  /// The most by which a step that doubles the length may lengthen the time.
  private let limit = 2.3

  private func expectProportion(
    from count: Int, _ location: SourceLocation = #_sourceLocation,
    _ prepare: (Int) throws -> () throws -> Void
  ) throws {
    var least = Double.infinity
    for _ in 0..<6 where least >= limit {
      let times = try [count, 2 * count, 4 * count].map { count in
        try (0..<3).map { _ in
          let body = try prepare(count)
          let start = threadSeconds
          try body()
          return threadSeconds - start
        }.min() ?? 0
      }
      least = min(least, max(times[1] / times[0], times[2] / times[1]))
    }
    #expect(least < limit, sourceLocation: location)
  }

  private static let conditions: [String: (format: String, letters: String, count: Int)] = [
    "CONTAINS[cd]": ("name CONTAINS[cd] 'zq'", "äb", 20_000),
    "BEGINSWITH[cd]": ("name BEGINSWITH[cd] 'zq'", "äb", 20_000),
    "ENDSWITH[c]": ("name ENDSWITH[c] 'zq'", "äb", 20_000),
    "==[cd]": ("name ==[cd] 'zq'", "äb", 60_000),
    "Hangul": ("name ==[c] 'zq'", "한국", 60_000),
    "marks": ("name CONTAINS[d] 'zq'", "\u{301}\u{323}", 20_000),
    "LIKE": ("name LIKE[cd] '*ab*ab*c'", "ab", 20_000),
    "MATCHES": ("name MATCHES '(a+)+b'", "a", 2_000),
  ]

  @Test(arguments: conditions.keys.sorted())
  func `a comparison takes time in proportion to the text`(_ name: String) throws {
    let (format, letters, count) = try #require(Self.conditions[name])
    try expectProportion(from: count) { count in
      let bench = try Bench()
      let context = bench.child()
      // Unsaved, so that this thread compares.
      Person.named("a" + String(repeating: letters, count: count), in: context)
      return {
        let found = try Person.matching(format).count(in: context)
        #expect(found == 0)
        withExtendedLifetime(bench) {}
      }
    }
  }

  private static let formats: [String: @Sendable (Int) -> String] = [
    "alternatives": { (0..<$0).map { "age = \($0)" }.joined(separator: " OR ") },
    "a list": { "age IN {" + (0..<10 * $0).map { "\($0)" }.joined(separator: ",") + "}" },
    "a long literal": { "name = '" + String(repeating: "\\'", count: 20 * $0) + "'" },
    "no end": { (0..<$0).map { "age = \($0)" }.joined(separator: " AND ") + " AND (" },
    "negations": { String(repeating: "NOT ", count: $0) + "age = 1" },
  ]

  @Test(arguments: formats.keys.sorted())
  func `a condition is read in time in proportion to its text`(_ name: String) throws {
    let text = try #require(Self.formats[name])
    try expectProportion(from: 1_000) { count in
      let bench = try Bench()
      let (context, format) = (bench.child(), text(count))
      return {
        _ = try? Person.matching(format).count(in: context)
        withExtendedLifetime(bench) {}
      }
    }
  }

  private func model(
    entities: Int = 1, attributes: Int = 1, links: Int = 0
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: (0..<entities).map { number in
        let name = "E\(number)"
        let attributes = (0..<attributes).map {
          PropertyDescription.attribute(AttributeDescription(name: "a\($0)", type: .integer64))
        }
        let links = (0..<links).flatMap { link -> [PropertyDescription] in
          let (there, back) = ("r\(link)", "i\(link)")
          return [
            .relationship(
              RelationshipDescription(
                name: there, destination: name, inverse: back, isToMany: false)),
            .relationship(
              RelationshipDescription(
                name: back, destination: name, inverse: there, isToMany: true)),
          ]
        }
        return EntityDescription(name: name, properties: attributes + links)
      })
  }

  @Test(arguments: ["entities", "attributes", "links"])
  func `a model is made in time in proportion to what it has`(_ what: String) throws {
    try expectProportion(from: 100) { count in
      {
        switch what {
        case "entities": _ = try self.model(entities: count)
        case "attributes": _ = try self.model(attributes: 4 * count)
        default: _ = try self.model(links: count)
        }
      }
    }
  }

  @Test func `records are refused in time in proportion to their number`() throws {
    try expectProportion(from: 500) { count in
      let bench = try Bench()
      let context = bench.child()
      let records = (0..<count).map { ["name": "p\($0)", "age": "none"] }
      return {
        let people = try Person.importFrom(records as [Any], in: context)
        #expect(people.isEmpty)
        withExtendedLifetime(bench) {}
      }
    }
  }

  @Test func `conflicts are told in time in proportion to their number`() throws {
    try expectProportion(from: 300) { count in
      let bench = try Bench()
      let (here, there) = (bench.child("here"), bench.child("there"))
      for number in 0..<count { Person.named("p\(number)", in: here) }
      try here.saveAndWait(toPersistentStore: true)
      for person in try Person.findAll(in: there) { person.age = 1 }
      for person in try Person.findAll(in: here) { person.age = 2 }
      try here.saveAndWait(toPersistentStore: false)
      return {
        #expect(cauldronError { try there.save() }?.code == .saveConflict)
        withExtendedLifetime(bench) {}
      }
    }
  }
}

import Cauldron
import Foundation
import Testing

/// Records that are `Encodable` values.
@Suite struct EncodableTests {
  private struct Row: Encodable, Sendable {
    struct Broken: Error {}
    var id: Int
    var weight: Double?
    var other: Double?
    var day: Date?
    var address: Parcel.Address?
    var isBroken = false

    enum CodingKeys: CodingKey { case id, weight, other, day, address }

    func encode(to encoder: any Encoder) throws {
      if isBroken { throw Broken() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encodeIfPresent(weight, forKey: .weight)
      try container.encodeIfPresent(other, forKey: .other)
      try container.encodeIfPresent(day, forKey: .day)
      try container.encodeIfPresent(address, forKey: .address)
    }
  }

  private func load(_ rows: [Row], _ hangar: Hangar) async throws -> ImportReport? {
    try await hangar.stack.save { context in
      var report: ImportReport?
      try Parcel.importFrom(rows, in: context) { report = $0 }
      return report
    }
  }

  @Test func `dates come as they are, whatever their form in files`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let date = Date(timeIntervalSinceReferenceDate: 0.123456789)
    let row = Row(id: 1, day: date, address: .init(city: "x", since: date))
    #expect(try await load([row], hangar)?.created == 1)
    let read = try await hangar.only(Parcel.self) { [$0.day, $0.address?.since] }
    #expect(read == [date, date])
  }

  @Test func `what cannot be encoded refuses its record alone`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let report = try await load(
      [
        Row(id: 1, weight: .nan), Row(id: 2, isBroken: true), Row(id: 3, other: .infinity),
        Row(id: 4, weight: 1),
      ], hangar)
    #expect(
      report?.problems.map(\.description) == [
        "/0/weight: nan has no form in a record",
        "/1: a Row, of which the encoding throws Broken, has no form in a record",
      ])
    #expect(report?.created == 2)
  }
}

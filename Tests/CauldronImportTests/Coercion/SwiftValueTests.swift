import Cauldron
import CauldronModel
import Foundation
import Testing

/// Records that are Swift values.
@Suite struct SwiftValueTests {
  @Test func `number objects are numbers, and truth values where they are some`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let report = try await hangar.load(Parcel.self) {
      [["id": NSNumber(value: 1), "weight": NSNumber(value: 0), "isPaid": NSNumber(value: true)]]
    }
    #expect(report.created == 1, "\(report)")
    let read = try await hangar.only(Parcel.self) { ($0.id, $0.weight, $0.isPaid) }
    #expect(read ?? (0, nil, false) == (1, 0, true))
    let other = try await hangar.load(Parcel.self) { [["id": 2, "isPaid": NSNumber(value: 1)]] }
    #expect(other.problems.map(\.description) == ["/0/isPaid: 1 is not true or false"])
  }

  @Test func `data is data, of Swift, of Foundation and of transforms`() async throws {
    for number in 0..<2 {
      let hangar = try Hangar(ManagedObjectModel(Parcel.self))
      let report = try await hangar.load(Parcel.self) {
        let data = Data([1, 2])
        let label: Any = number == 0 ? data : NSData(data: data)
        return [["id": 1, "label": label, "text": "ab"] as [String: Any]]
      }
      #expect(report.created == 1, "\(report)")
      let read = try await hangar.only(Parcel.self) { [$0.label, $0.bytes] }
      #expect(read == [Data([1, 2]), Data("ab".utf8)])
    }
  }

  @Test func `what no attribute can be refuses its record where it is asked for`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let report = try await hangar.load(Parcel.self) {
      [
        ["id": 1, "weight": Double.nan, "other": 1], ["id": 2, "weight": Parcel.Hole()],
        ["id": 3, "other": Double.nan, "more": [Parcel.Hole()]], ["id": 4, "broken": 1],
        ["id": 5, "due": Date(timeIntervalSince1970: .nan)], Parcel.Hole(),
        ["id": 6, "delay": Duration.seconds(Int64.max)], ["id": 7, "delay": Duration.seconds(1)],
      ]
    }
    #expect(
      report.problems.map(\.description) == [
        "/0/weight: nan has no form in a record", "/1/weight: a Hole has no form in a record",
        "/3/hole: a Hole has no form in a record", "/4/due: \"nan\" is not a date",
        "/5: a Hole has no form in a record",
        "/6/delay: \"\(Duration.seconds(Int64.max))\" cannot be kept:"
          + " a Duration has whole nanoseconds, and at most 292 years",
      ])
    #expect(report.created == 2)
  }

  @Test func `durations are nanoseconds`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let report = try await hangar.load(
      Parcel.self,
      json: #"[{"id": 1, "delay": 1500000000}, {"id": 2, "delay": -9223372036854775808}]"#)
    #expect(report.problems.map(\.pointer) == ["/1/delay"])
    #expect(try await hangar.only(Parcel.self) { $0.delay } == .milliseconds(1_500))
  }

  @Test func `what is in a Codable value stands as its encoder writes it`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let date = Date(timeIntervalSinceReferenceDate: 1_000)
    let records: @Sendable () -> [Any] = {
      [["id": 1, "address": ["city": "x", "since": date] as [String: Any]] as [String: Any]]
    }
    let report = try await hangar.load(Parcel.self, ImportOptions(), records)
    #expect(report.created == 1, "\(report)")
    let address = try await hangar.only(Parcel.self) { $0.address }
    #expect(address == Parcel.Address(city: "x", since: date))
    #expect(try await hangar.load(Parcel.self, ImportOptions(), records).unchanged == 1)
  }

  @Test func `enumerations have raw values that are cases`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let report = try await hangar.load(Parcel.self) {
      [
        ["id": 1, "color": "green", "size": 2],
        ["id": 2, "color": Parcel.Color.red, "size": Parcel.Size.large],
        ["id": 3, "color": "blue"],
      ]
    }
    #expect(report.problems.map(\.pointer) == ["/2/color"])
    let first = try await hangar.only(Parcel.self) { ($0.color, $0.size) }
    #expect(first?.1 == .large)
  }

  @Test func `a source has Swift values as they are`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    let uuid = UUID()
    let url = try #require(URL(string: "https://a.example"))
    let values: [String: Any] = ["date": date, "data": Data([1]), "uuid": uuid, "url": url]
    let source = ImportSource(try JSONTape(values).root)
    for source in [source, ImportSource(try #require(JSONText.value(source.description)))] {
      #expect(source["date"]?.date == date && source["data"]?.data == Data([1]))
      #expect(source["uuid"]?.uuid == uuid && source["url"]?.url == url)
      #expect(source["date"]?.uuid == nil && source["uuid"]?.date == nil)
    }
    #expect(try source["date"]?.decode(Date.self) == date)
    #expect(try source["uuid"]?.decode(UUID.self) == uuid)
  }
}

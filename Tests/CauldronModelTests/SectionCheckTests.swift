import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Suite("Sections that cannot be made")
struct SectionCheckTests {
  private let model: ManagedObjectModel
  private let person: EntityLayout

  init() throws {
    model = try TestModels.people()
    person = model.entity("Person")
  }

  private func check(_ transform: SectionTransform, _ key: String) throws {
    var query = StoreQuery(entity: person)
    let value = try SortKey(key).bound(to: person, nil).expression
    query.sort = [StoreQuery.SortKey(.section(transform, value), ascending: true)]
    try query.checkSections()
  }

  @Test("Nobody has days but dates", arguments: ["height", "age", "employer.rating"])
  func noDate(key: String) {
    for (transform, unit) in [
      (SectionTransform.day(timeZone: "GMT"), "day"), (.month(timeZone: "GMT"), "month"),
    ] {
      let error = #expect(throws: CauldronError.self) { try check(transform, key) }
      #expect(error?.code == .queryTypeMismatch)
      #expect(
        error?.message
          == "Cannot make sections of Person by the \(unit) of \"\(key)\", which is no date.")
    }
    #expect(throws: Never.self) { try check(.day(timeZone: "GMT"), "birthday") }
    #expect(throws: Never.self) { try check(.firstLetter, "name") }
  }

  @Test("An unknown time zone is refused", arguments: ["Europe/Berln", "", "europe/berlin"])
  func unknownZone(zone: String) {
    for transform in [SectionTransform.day(timeZone: zone), .month(timeZone: zone)] {
      let error = #expect(throws: CauldronError.self) { try check(transform, "birthday") }
      #expect(error?.code == .queryUnsupported)
      #expect(error?.description.contains("no time zone is called \"\(zone)\".") == true)
      #expect(error?.description.contains("\n") == false)
    }
  }

  @Test("Every time zone that Foundation makes is known")
  func zones() {
    let fixed = stride(from: -64_800, through: 64_800, by: 900)
      .compactMap { TimeZone(secondsFromGMT: $0)?.identifier }
    let all = ["GMT", "UTC", "Etc/UTC", TimeZone.current.identifier, "Europe/Berlin"] + fixed
    for zone in all {
      #expect(throws: Never.self, "\(zone)") { try check(.day(timeZone: zone), "birthday") }
    }
  }
}

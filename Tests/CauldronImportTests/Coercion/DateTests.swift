import Cauldron
import CauldronModel
import Foundation
import Testing

/// What dates are compared and written as.
@Suite struct DateTests {
  private func day(_ hangar: Hangar) async throws -> String? {
    let day = try await hangar.only(Parcel.self) { $0.day }
    return day.flatMap(\.self).map { ISODate.text($0.timeIntervalSinceReferenceDate) }
  }

  @Test func `an update is seen though the first form does not write it`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    try await hangar.load(Parcel.self, json: #"[{"id": 1, "day": "2026-11-24T08:00:00Z"}]"#)
    let later = #"[{"id": 1, "day": "2026-11-24T17:30:00Z"}]"#
    #expect(try await hangar.load(Parcel.self, json: later).updated == 1)
    #expect(try await hangar.load(Parcel.self, json: later).unchanged == 1)
    #expect(try await day(hangar) == "2026-11-24T17:30:00Z")
    let midnight = #"[{"id": 1, "day": "2026-11-24"}]"#
    #expect(try await hangar.load(Parcel.self, json: midnight).updated == 1)
    #expect(try await day(hangar) == "2026-11-24T00:00:00Z")
  }

  @Test func `a date is written in a form that brings it back`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    for (date, text) in [
      ("2026-11-24", "2026-11-24"), ("2026-11-24T08:00:00Z", "2026-11-24T08:00:00Z"),
    ] {
      try await hangar.load(Parcel.self, json: #"[{"id": 1, "day": "\#(date)"}]"#)
      let options = ImportOptions(mappings: [
        "Parcel": ImportMapping(attributes: [
          "bytes": AttributeImport(isExcluded: true), "hole": AttributeImport(isExcluded: true),
        ])
      ])
      let json = try await hangar.only(Parcel.self) { try $0.exportJSON(options: options) }
      #expect(json?.contains("\"day\":\"\(text)\"") == true, "\(json ?? "")")
    }
  }

  @Test(arguments: [
    ("M/d/yyyy H:mm", "11/24/2026 8:05", "2026-11-24T08:05:00Z"),
    ("dd. MMM yyyy", "24. Nov 2026", "2026-11-24T00:00:00Z"),
    ("yyyy-MM-dd'T'HH:mm:ssZ", "2026-11-24T08:00:00+0100", "2026-11-24T07:00:00Z"),
  ])
  func `patterns are read in UTC and in English`(
    pattern: String, text: String, date: String
  ) async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let mapping = ImportMapping(attributes: ["sent": .init(dateFormats: [.pattern(pattern)])])
    let options = ImportOptions(mappings: ["Parcel": mapping])
    let report = try await hangar.load(
      Parcel.self, json: #"[{"id": 1, "sent": "\#(text)"}, {"id": 2, "sent": "x"}]"#, options)
    #expect(report.problems.map(\.description) == ["/1/sent: \"x\" is not a date, as \(pattern)"])
    let read = try await hangar.only(Parcel.self) { $0.sent }
    #expect(read.flatMap(\.self).map { ISODate.text($0.timeIntervalSinceReferenceDate) } == date)
  }

  /// Foundation's formatter stops the program where what it has read ends within a letter.
  @Test(arguments: [#"2026-11-24 08:00\u0301"#, #"2026-11-24 08:00\u200d"#], [true, false])
  func `a date that ends with an accent or a joiner is none`(
    text: String, isLenient: Bool
  ) async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let mapping = ImportMapping(
      attributes: ["sent": .init(dateFormats: [.pattern("yyyy-MM-dd HH:mm")])])
    let options = ImportOptions(
      mode: isLenient ? .lenient : .strict, mappings: ["Parcel": mapping])
    let report = try await hangar.load(
      Parcel.self, json: #"[{"id": 1, "sent": "\#(text)"}]"#, options)
    #expect(report.problems.count == 1)
    #expect(report.problems.first?.description.contains("is not a date") == true)
  }

  @Test func `a refusal is short, also of one letter with very many accents`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let text = "a" + String(repeating: "\u{301}", count: 20_000)
    let report = try await hangar.load(Parcel.self, json: #"[{"id": 1, "sent": "\#(text)"}]"#)
    let problem = try #require(report.problems.first).description
    #expect(problem.hasSuffix("is not a date, as 2026-11-24T08:00:00Z"))
    #expect(problem.unicodeScalars.count < 200)
  }

  @Test func `numbers are seconds where imports are lenient, whatever the pattern`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Parcel.self))
    let mapping = ImportMapping(attributes: ["sent": .init(dateFormats: [.pattern("yyyy")])])
    let report = try await hangar.load(
      Parcel.self, json: #"[{"id": 1, "sent": 978307201}, {"id": 2, "sent": "978307201x"}]"#,
      ImportOptions(mode: .lenient, mappings: ["Parcel": mapping]))
    #expect(report.created == 1)
    #expect(
      try await hangar.only(Parcel.self) { $0.sent } == Date(timeIntervalSinceReferenceDate: 1))
  }
}

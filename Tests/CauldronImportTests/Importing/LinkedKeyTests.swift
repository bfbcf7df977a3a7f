import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Entity final class Voyage: ManagedObject {
  @Attribute(.unique) var code: String
  @Relationship(imported: true) var calls: ToMany<PortCall>
}

/// A voyage calls at a port; its number is unique with the voyage.
@Entity final class PortCall: ManagedObject {
  #Unique<PortCall>([\.voyage, \.number])
  @Relationship(inverse: \Voyage.calls) var voyage: Voyage?
  var number: Int
  var port: String?
}

@Entity final class Tariff: ManagedObject {
  #Unique<Tariff>([\.good, \.since])
  var good: String
  var since: Date
}

@Entity final class DailyTariff: ManagedObject {
  #Unique<DailyTariff>([\.good, \.day])
  var good: String
  @Attribute(dateFormat: .pattern("yyyy/MM/dd")) var day: Date
}

/// Values that are unique together, of which one is a link or a date.
@Suite(.againstHanging) struct LinkedKeyTests {
  private func stack(inFile directory: TemporaryDirectory?) throws -> Stack {
    try Stack(
      storeURL: directory?.file("calls.sqlite"),
      model: ManagedObjectModel(Voyage.self, PortCall.self, Tariff.self, DailyTariff.self))
  }

  private func load<Entity: ManagedEntity>(
    _ json: String, as type: Entity.Type, to stack: Stack
  ) async throws -> ImportReport {
    try await stack.importJSON(Data(json.utf8), as: type)
  }

  @Test(arguments: [false, true])
  func `a record whose link and number the store has already is refused alone`(
    inFile: Bool
  ) async throws {
    let directory = inFile ? try TemporaryDirectory() : nil
    let stack = try stack(inFile: directory)
    _ = try await load(#"[{"voyage": "V1", "number": 1}]"#, as: PortCall.self, to: stack)
    let report = try await load(
      #"[{"voyage": "V1", "number": 1}, {"voyage": "V1", "number": 2}]"#, as: PortCall.self,
      to: stack)
    #expect(report.created == 1)
    #expect(
      report.problems.map(\.description) == [
        #"/0: PortCall.voyage, number must be unique together, and another has Voyage "V1", 1"#
      ])
    let nested = try await load(
      #"[{"code": "V2", "calls": [{"number": 1}]}, {"code": "V1", "calls": [{"number": 2}]}]"#,
      as: Voyage.self, to: stack)
    #expect(nested.created == 1 && nested.problemCount == 1, "\(nested)")
    let calls = try await stack.save { context in
      try PortCall.findAll(in: context).map { "\($0.voyage?.code ?? "-")\($0.number)" }.sorted()
    }
    #expect(calls == ["V11", "V12", "V21"])
  }

  @Test func `a date in a key is exported with all its digits`() async throws {
    let stack = try stack(inFile: nil)
    for number in 0..<50 {
      let seconds = 789_012_345.678_901_23 + Double(number) * 0.731
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      try await stack.save { context in
        let tariff = Tariff.create(in: context)
        (tariff.good, tariff.since) = ("tea", date)
      }
    }
    let json = try await stack.save { try Tariff.findAll(in: $0).exportJSON() }
    let report = try await load(json, as: Tariff.self, to: stack)
    #expect(report.unchanged == 50 && report.isUnchanged, "\(report)")
  }

  @Test func `a date in a key is not exported by a form that leaves out its time`() async throws {
    let stack = try stack(inFile: nil)
    let midnight = Date(timeIntervalSinceReferenceDate: 86_400)
    func exported(_ date: Date) async throws -> String {
      try await stack.save { context in
        defer { context.rollback() }
        let tariff = DailyTariff.create(in: context)
        (tariff.good, tariff.day) = ("tea", date)
        return try tariff.exportJSON()
      }
    }
    #expect(try await exported(midnight) == #"{"good":"tea","day":"2001/01/02"}"#)
    let error = await #expect(throws: CauldronError.self) {
      try await exported(midnight.addingTimeInterval(3_600))
    }
    #expect(error?.code == .exportLossy && error?.property == "day")
  }

  @Test func `the text of a date is read as the same date`() {
    for number in 100..<1_000 {
      let later = Double(number) * 1_234_567.890_123 + 1 / Double(number)
      for seconds in [later, -later] {
        #expect(ISODate.seconds(ISODate.text(seconds)) == seconds)
      }
    }
    #expect(ISODate.text(0.25) == "2001-01-01T00:00:00.250Z")
  }
}

import Cauldron
import Foundation
import Testing

/// Records that are Foundation's objects, as ported code has them.
@Suite struct FoundationRecordTests {
  @Test func `Foundation's objects are kept as they are`() async throws {
    let desk = try Desk(Machine.described(), Gear.described())
    let context = ManagedObjectContext.contextWithParent(desk.stack.rootSavingContext)
    try await context.perform { context in
      let date = Date(timeIntervalSince1970: 5)
      let record: [String: Any] = [
        "machineID": NSNumber(value: 7), "built": NSDate(timeIntervalSince1970: 5),
        "label": NSString("x"), "weight": NSNumber(value: 1.5),
      ]
      let options = ImportOptions(mode: .lenient)
      let machine = try Machine.importFrom([record], in: context, options: options).first
      #expect(machine?.built == date && machine?.label == "x" && machine?.weight == 1.5)
    }
  }

  @Test func `what Foundation has parsed says what the text says`() async throws {
    let json = """
      {"machineID": 10158365420975381, "weight": 1.1, "label": null, "built": 1388349428.5,
       "note": true, "tools": [7, {"gearID": 8, "teeth": "9"}]}
      """
    let desk = try Desk(Machine.described(), Gear.described())
    try await desk.load("[\(json)]", as: "Machine")
    let context = ManagedObjectContext.contextWithParent(desk.stack.rootSavingContext)
    let description = try await context.perform { context in
      let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
      var description = ""
      _ = try Machine.importFrom([parsed], in: context, options: .init(mode: .lenient)) {
        description = "\($0)"
      }
      return description
    }
    withExtendedLifetime(context) { #expect(description == "1 machine: 1 unchanged") }
  }
}

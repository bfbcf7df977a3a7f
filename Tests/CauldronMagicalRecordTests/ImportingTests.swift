import Cauldron
import CauldronMagicalRecord
import Foundation
import Logging
import Testing

extension OldCalls {
  @Suite struct ImportingTests {
    private let dan: [String: Any] = ["name": "Dan", "age": "17", "born": 0]

    @available(*, deprecated)
    @Test @MainActor func `a record is imported as it was, into the default context or another`()
      throws
    {
      let record: [String: Any] = ["name": "Argo", "sailors": [dan]]
      let argo = Ship.mr_import(from: record)
      #expect(argo === (try Ship.findFirst(\.name, "Argo")))
      #expect(argo?.sailors.sorted { $0.name < $1.name }.names == "Ann Dan")
      let dan = try #require(try Sailor.findFirst(\.name, "Dan"))
      #expect(dan.age == 17 && dan.born == Date(timeIntervalSince1970: 0) && dan.isInserted)
      let child = ManagedObjectContext.contextWithParent(.default)
      let nef = Ship.mr_import(from: ["name": "Nef"] as NSDictionary, in: child)
      #expect(nef?.name == "Nef" && nef?.managedObjectContext === child)
    }

    @available(*, deprecated)
    @Test @MainActor func `records are imported in their order, whatever the array's type`() throws
    {
      let context = ManagedObjectContext.default
      let texts = [["name": "Nef"], ["name": "Argo"], ["name": "Nef"]]
      let ships = try #require(Ship.mr_import(from: texts, in: context))
      #expect(ships.map(\.name) == ["Nef", "Argo", "Nef"] && ships[0] === ships[2])
      let values: [[String: Any]] = [dan]
      #expect(Sailor.mr_import(from: values, in: context)?.names == "Dan")
      let keys: [[AnyHashable: Any]] = [dan]
      #expect(Sailor.mr_import(from: keys)?.names == "Dan")
      let any: [Any] = [dan, dan]
      #expect(Sailor.mr_import(from: any)?.names == "Dan Dan")
      #expect(Sailor.mr_import(from: [["name": "Eve", "age": 3], ["name": "Fay"]])?.count == 2)
      let none: [Any]? = nil
      #expect(Sailor.mr_import(from: none) == [])
    }

    @available(*, deprecated)
    @Test @MainActor func `an array that nobody knows as one is an error that tells the remedy`() {
      let parsed: Any = [dan, dan]
      let errors = OldCalls.errors { #expect(Sailor.mr_import(from: parsed) == nil) }
      #expect(errors.map(\.code) == [.importValue])
      #expect(errors.first?.hint == "Pass it as '[Any]', so that the call for arrays takes it.")
    }

    @available(*, deprecated)
    @Test @MainActor func `what is refused is logged, goes to the handler, and stops nobody`()
      throws
    {
      let log = LogCapture()
      var configuration = StackConfiguration()
      configuration.logger = log.logger
      configuration.logger.logLevel = .warning
      let stack = try Stack.inMemory(model: Stack.default.model, configuration: configuration)
      let context = ManagedObjectContext.contextWithParent(stack.rootSavingContext)
      let errors = OldCalls.errors {
        let records: [Any] = [["name": "Nef"], ["nam": "Argo"], ["name": ["x"]], 7]
        #expect(Ship.mr_import(from: records, in: context)?.map(\.name) == ["Nef"])
        #expect(Ship.mr_import(from: ["nam": "Argo"], in: context) == nil)
        #expect(Ship.mr_import(from: nil, in: context) == nil)
      }
      #expect(
        errors.map(\.code) == [
          .importMissingKey, .importValue, .importValue, .importMissingKey, .importValue,
        ])
      #expect(errors[1].message == "Cannot import Ship /2/name: an array is not a text.")
      #expect(
        log.messages.count == 3 && log.messages[0].hasPrefix("Imported 4 ships: 1 created; 3"))
      // Places and codes: what was refused is no matter of the log.
      #expect(log.messages[0].contains("/2/name (import.value)"))
    }

    @available(*, deprecated)
    @Test @MainActor func `what cannot be imported at all is an error, and nothing`() throws {
      struct Model {}
      let model = try ManagedObjectModel(entities: [Lighthouse._describeEntity()])
      let context = try Stack.inMemory(model: model).defaultContext
      let errors = OldCalls.errors {
        #expect(Ship.mr_import(from: ["name": "Nef"], in: context) == nil)
        #expect(Ship.mr_import(from: [["name": "Nef"]], in: context) == nil)
        #expect(Lighthouse.mr_import(from: Model(), in: context) == nil)
      }
      #expect(errors.map(\.code) == [.modelUnknownEntity, .modelUnknownEntity, .importValue])
    }

    @available(*, deprecated)
    @Test @MainActor func `values are imported into an object, whatever its key`() throws {
      let bob = try #require(try Sailor.findFirst(\.name, "Bob"))
      let record: [String: Any] = ["age": "21", "ship": ["name": "Argo"]]
      #expect(bob.mr_importValuesForKeys(with: record))
      #expect(bob.age == 21 && bob.ship?.name == "Argo" && bob.name == "Bob")
      let errors = OldCalls.errors {
        #expect(!bob.mr_importValuesForKeys(with: ["age": "many"]))
        #expect(!bob.mr_importValuesForKeys(with: "Bob"))
      }
      #expect(errors.map(\.code) == [.importValue, .importValue])
      #expect(bob.age == 21)
    }

    @available(*, deprecated)
    @Test @MainActor func `an object that says no is not imported, and that is no error`() {
      let draft: [String: Any] = ["cargoID": 1, "weight": 2, "draft": true]
      let errors = OldCalls.errors {
        #expect(Cargo.mr_import(from: draft) == nil)
        let cargo = Cargo.create()
        #expect(!cargo.mr_importValuesForKeys(with: draft))
        #expect(cargo.mr_importValuesForKeys(with: ["weight": "2.5"]))
        #expect(cargo.weight == 2.5)
      }
      #expect(errors.isEmpty)
    }
  }
}

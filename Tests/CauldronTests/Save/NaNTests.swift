import Cauldron
import CauldronModel
import Foundation
import Testing

@Entity final class Reading: ManagedObject {
  var value: Double = 0
  var ratio: Float = 0
  var price: Decimal = 0
  var time: Date = Date(timeIntervalSinceReferenceDate: 0)
  var perhaps: Double?
  var perhapsRatio: Float?
  var perhapsPrice: Decimal?
  var perhapsTime: Date?
}

@Suite struct NaNTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Reading.self))
  }

  @Test(arguments: StoreKind.allCases, ["value", "ratio", "price", "time"])
  func `NaN is no value for a required number`(_ kind: StoreKind, _ key: String) throws {
    let bench = try bench(kind)
    let context = bench.child()
    let reading = Reading.create(in: context)
    switch key {
    case "value": reading.value = .nan
    case "ratio": reading.ratio = .nan
    case "price": reading.price = .nan
    default: reading.time = Date(timeIntervalSinceReferenceDate: .nan)
    }
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationMissing && error?.property == key)
    #expect(error?.message == "Reading.\(key) is required, and NaN is no value.")
    #expect(error?.objectIDs == [reading.objectID])
    #expect(try Reading.count(in: bench.committed()) == 0)
    (reading.value, reading.ratio, reading.price) = (1, 1, 1)
    reading.time = Date(timeIntervalSinceReferenceDate: 1)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Reading.count(in: bench.committed()) == 1)
    reading.value = -.nan
    #expect(cauldronError { try context.save() }?.code == .validationMissing)
    context.rollback()
    #expect(reading.value == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `an optional number that is set to NaN is nil, before and after a save`(
    _ kind: StoreKind
  ) throws {
    let bench = try bench(kind)
    let context = bench.child()
    let reading = Reading.create(in: context)
    for isByName in [false, true] {
      if isByName {
        try reading.setValue(Double.nan, forKey: "perhaps")
        try reading.setValue(Float.nan, forKey: "perhapsRatio")
        try reading.setValue(Decimal.nan, forKey: "perhapsPrice")
        try reading.setValue(
          Date(timeIntervalSinceReferenceDate: .nan), forKey: "perhapsTime")
      } else {
        (reading.perhaps, reading.perhapsRatio, reading.perhapsPrice) = (.nan, .nan, .nan)
        reading.perhapsTime = Date(timeIntervalSinceReferenceDate: .nan)
      }
      try context.saveAndWait(toPersistentStore: true)
      let stored = try #require(try Reading.findFirst(in: bench.committed()))
      for reading in [reading, stored] {
        #expect(reading.perhaps == nil && reading.perhapsRatio == nil)
        #expect(reading.perhapsPrice == nil && reading.perhapsTime == nil)
      }
      (reading.perhaps, reading.perhapsRatio, reading.perhapsPrice) = (1, 1, 1)
      reading.perhapsTime = Date(timeIntervalSinceReferenceDate: 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `infinity is a number`(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let context = bench.child()
    Reading.create(in: context).value = .infinity
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Reading.findFirst(in: bench.committed())?.value == .infinity)
  }
}

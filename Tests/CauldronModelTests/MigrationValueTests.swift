import CauldronModel
import Foundation
import Testing

/// What scalars of a store are as values, and what is none.
@Suite struct MigrationValueTests {
  private func isKept<Value: AttributeValue & Equatable>(_ value: Value) -> Bool {
    Value.value(of: value.scalar) == value
  }

  @Test func `every value comes back from its scalar`() throws {
    #expect(isKept("") && isKept("jill") && isKept(String(repeating: "ß", count: 99)))
    #expect(isKept(Int.min) && isKept(Int16.max) && isKept(true) && isKept(false))
    #expect(isKept(-1.5) && isKept(Float(0.1)) && isKept(Date(timeIntervalSinceReferenceDate: 7)))
    #expect(isKept(Data()) && isKept(Data([1, 2, 3])) && isKept(UUID()))
    #expect(isKept(try #require(Decimal(string: "-12.345"))))
    #expect(isKept(try #require(URL(string: "https://example.org/x"))))
    #expect(isKept(Duration.seconds(3)))
  }

  @Test func `numbers may change their form, and nothing else`() {
    #expect(Int.value(of: .real(7)) == 7)
    #expect(Int.value(of: .real(7.5)) == nil)
    #expect(Int16.value(of: .integer(40_000)) == nil)
    #expect(Double.value(of: .integer(7)) == 7)
    #expect(Decimal.value(of: .integer(7)) == 7)
    #expect(Decimal.value(of: .text("x")) == nil)
    #expect(String.value(of: .integer(7)) == nil)
    #expect(UUID.value(of: .blob(Data([1]))) == nil)
    #expect(Int.value(of: .text("7")) == nil)
    #expect(Data.value(of: .text("7")) == nil)
  }
}

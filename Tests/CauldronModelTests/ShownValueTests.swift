import CauldronModel
import Foundation
import Testing

@Suite("Values of columns")
struct ShownValueTests {
  private func returns<Value: AttributeValue & Equatable>(_ value: Value) {
    #expect(Value.shown(for: value.scalar) == value)
    #expect(Value?.shown(for: .null) == nil)
  }

  @Test("A value comes back from its scalar")
  func all() {
    returns(Int.min)
    returns(Int16(-3))
    returns(true)
    returns(2.5)
    returns(Float(0.5))
    returns("")
    returns("ä🙂 and more than a word of it")
    returns(Data([1, 2, 3]))
    returns(Date(timeIntervalSinceReferenceDate: 1.5))
    returns(UUID())
    returns(Decimal(string: "1.25") ?? 0)
    returns(URL(filePath: "/tmp/x"))
  }

  @Test("What is of another kind becomes the nearest value, or none")
  func others() {
    #expect(Double.shown(for: .integer(3)) == 3)
    #expect(Int.shown(for: .real(3)) == 3)
    #expect(Int?.shown(for: .real(0x1p70)) == nil)
    #expect(Decimal.shown(for: .integer(7)) == 7)
    #expect(Int?.shown(for: .text("x")) == nil)
    #expect(Data?.shown(for: .integer(1)) == nil)
    #expect(Int.shown(for: .null) == 0 && String.shown(for: .null) == "")
  }
}

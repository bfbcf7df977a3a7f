import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite("AttributeScalar and AttributeValue")
struct AttributeScalarTests {
  @Test("Texts that differ only in normalization are different values")
  func normalization() {
    #expect("ä" == "a\u{308}")
    #expect(AttributeScalar.text("ä") != .text("a\u{308}"))
    #expect(Set([AttributeScalar.text("ä"), .text("a\u{308}"), .text("ä")]).count == 2)
  }

  @Test("Values of different kinds are different, and nil is one of them")
  func kinds() {
    let all: [AttributeScalar] = [
      .null, .integer(0), .real(0), .text(""), .blob(Data()), .integer(1), .real(1), .text("1"),
    ]
    #expect(Set(all).count == all.count)
    #expect(all.filter(\.isNull) == [.null])
    #expect(AttributeScalar.real(0) == .real(-0.0))
  }

  @Test("Every built-in type reads from a row what was written to it")
  func roundTrip() throws {
    let url = try #require(URL(string: "https://example.org/ä?q=1"))
    try check(Int.min)
    try check(Int64.max)
    try check(Int32.min)
    try check(Int16.max)
    try check(true)
    try check(-1.5e300)
    try check(Float(0.1))
    try check("Zoë 🙂")
    try check("")
    try check(Date(timeIntervalSinceReferenceDate: -0.25))
    try check(Data([0, 255]))
    try check(UUID())
    try check(url)
    try check(#require(Decimal(string: "-12345678901234567890.5")))
    try check(Optional("x"))
    try check(Optional<Int>.none)
  }

  private func check<T: AttributeValue & Equatable>(
    _ value: T, at location: SourceLocation = #_sourceLocation
  ) throws {
    let entity = EntityDescription(
      name: "A", properties: [TestModels.attribute("a", T.attributeType)])
    let layout = try ManagedObjectModel(entities: [entity]).entity("A")
    var builder = RowBuilder()
    let row = builder.set(0, value.scalar, of: builder.begin(layout, key: 1), layout)
    let read = T._read(
      slot: row.slot(0), row: UnsafePointer(row.words), isNull: row.isNull(0))
    #expect(read == value, sourceLocation: location)
    #expect(layout.value("a", in: row) == value.scalar, sourceLocation: location)
  }
}

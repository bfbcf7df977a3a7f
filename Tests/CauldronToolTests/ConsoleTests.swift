import CauldronTool
import Testing

@Suite struct ConsoleTests {
  @Test func `numbers are shown as people read them`() {
    #expect(Quantity.count(0) == "0")
    #expect(Quantity.count(-1_234_567) == "-1,234,567")
    #expect(Quantity.of(1, "row") == "1 row")
    #expect(Quantity.of(63_666, "row") == "63,666 rows")
    #expect(Quantity.bytes(999) == "999 bytes")
    #expect(Quantity.bytes(1_250_000) == "1.3 MB")
    #expect(Quantity.seconds(.milliseconds(1_960)) == "2.0 s")
    #expect(Quantity.seconds(.milliseconds(149)) == "0.1 s")
  }

  @Test func `columns are as wide as their widest text, in their colours, too`() {
    var table = TextTable(.left, .right, .left)
    table.add("a", "10", "")
    table.add("long", "9", "end")
    #expect(table.lines(indent: 1) == [" a     10", " long   9  end"])
    let coloured = table.lines { $1 == 0 ? "<\($2)>" : $2 }
    #expect(coloured == ["<a>     10", "<long>   9  end"])
  }
}

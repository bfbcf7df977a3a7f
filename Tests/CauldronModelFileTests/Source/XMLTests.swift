import CauldronModelXML
import Testing

@Suite struct XMLTests {
  private func read(_ text: String) throws(XMLFailure) -> XMLDocument {
    try XMLReader.document(Array(text.utf8))
  }

  @Test(arguments: [
    #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n<model/>",
    #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<!-- mine -->\n<model name=\"\"/>\n",
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model a="1" zebra="&amp;&lt;&gt;&quot;&#10;&#9;&#13;" b="ä 語">
        <unknown>
            <!-- kept -->
            <deeper value="'"/>
        </unknown>
        <string>a &lt;b&gt; "c" &#13;</string>
    </model>
    """,
  ])
  func `a document is written as it was read`(_ text: String) throws {
    #expect(try XMLWriter.text(of: read(text)) == text)
  }

  @Test func `attributes, texts and lines are told`() throws {
    let document = try read(
      "<a x='1' y = \"&#x41;&apos;\">\n  <b/>\n\n  <c>t<![CDATA[<&]]></c></a>")
    #expect(document.root["x"] == "1" && document.root["y"] == "A'")
    #expect(document.root["z"] == nil)
    #expect(document.root.elements.map(\.name) == ["b", "c"])
    #expect(document.root.elements.map(\.line) == [2, 4])
    #expect(document.root.elements[1].text == "t<&")
  }

  @Test(arguments: [
    ("", 1, "there is no element"),
    ("<a>\n<b></a>", 2, "</a> ends <b> of line 2"),
    ("<a>\n\n<b x=\"1\"", 3, "the tag <b has no end"),
    ("<a>text", 1, "<a> of line 1 has no end"),
    ("<a x=\"1\" x=\"2\"/>", 1, "<a> has x twice"),
    ("<a x=1/>", 1, "the value of x has no quotation marks"),
    ("<a x=\"1\"y=\"2\"/>", 1, "an attribute of <a> has no space before it"),
    ("<a x/>", 1, "x of <a> has no value"),
    ("<a x=\"<\"/>", 1, "there is a < in the value of x"),
    ("<a>&nbsp;</a>", 1, "&nbsp; is no entity"),
    ("<a>&#0;</a>", 1, "&#0; is no entity"),
    ("<a>& b</a>", 1, "an & begins no entity"),
    ("<a/><b/>", 1, "something follows the last element"),
    ("<a><?php ?></a>", 1, "an instruction is not read"),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", 1, "a document type is not read"),
    ("<a>\u{1}</a>", 1, "there is a control character in <a> of line 1"),
    ("<1/>", 1, "an element has no name"),
  ])
  func `a document that is wrong is refused with its line`(
    _ text: String, _ line: Int, _ reason: String
  ) {
    #expect(throws: XMLFailure(line: line, reason)) { try read(text) }
  }

  @Test func `bytes that are no text are refused`() {
    #expect(throws: XMLFailure(line: 1, "the text is not UTF-8")) {
      try XMLReader.document(Array("<a x=\"".utf8) + [0xC3, 0x28] + Array("\"/>".utf8))
    }
  }

  @Test func `elements may be a hundred deep`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    _ = try read(nested(100))
    #expect(throws: XMLFailure(line: 1, "elements are more than 100 deep")) {
      try read(nested(100_000))
    }
  }
}

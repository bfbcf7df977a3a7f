/// An XML document as model files are: elements in elements, with attributes in the order of the file.
///
/// What is read is kept, whether it is known or not, so that a document which is written again has the same
/// bytes. Only the form of the lines is not kept: every element has one, indented by four spaces a level, as
/// Xcode writes them.
package struct XMLDocument: Sendable {
  /// What stands between `<?xml` and `?>`.
  package var declaration = "version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\""
  /// All between the declaration and the first element: a newline, and comments.
  package var prologue = "\n"
  /// The first element, in which all others are.
  package var root: XMLElement
  /// All that follows the first element: mostly nothing, or a newline.
  package var epilogue = ""

  /// A document as it is written by default.
  package init(root: XMLElement) { self.root = root }
}

/// An element of a document.
package struct XMLElement: Sendable, Hashable {
  package var name: String
  /// The attributes, in the order of the file; no name comes twice.
  package var attributes: [XMLAttribute]
  package var children: [XMLNode]
  /// The line on which the element begins, from 1; 0 for an element that was not read.
  package private(set) var line = 0

  package init(_ name: String, attributes: [XMLAttribute] = [], children: [XMLNode] = []) {
    self.name = name
    self.attributes = attributes
    self.children = children
  }

  init(_ name: String, attributes: [XMLAttribute], children: [XMLNode], line: Int) {
    self.init(name, attributes: attributes, children: children)
    self.line = line
  }

  /// The value of an attribute; nil where there is none.
  /// - Complexity: O(attributes).
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The elements within this one.
  package var elements: [XMLElement] {
    children.compactMap { node in
      if case .element(let element) = node { element } else { nil }
    }
  }

  /// The elements of a name within this one.
  package func elements(_ name: String) -> [XMLElement] { elements.filter { $0.name == name } }

  /// The texts within this element, one behind the other.
  package var text: String {
    children.reduce(into: "") { result, node in
      if case .text(let text) = node { result += text }
    }
  }
}

/// An attribute of an element.
package struct XMLAttribute: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What an element has within it.
package enum XMLNode: Sendable, Hashable {
  case element(XMLElement)
  /// Characters that are not only space.
  case text(String)
  /// What stands between `<!--` and `-->`.
  case comment(String)
}

/// Why bytes are no document that is understood.
package struct XMLFailure: Error, Hashable {
  /// The line, from 1.
  package let line: Int
  /// What is wrong, as the end of a sentence.
  package let reason: String

  package init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }
}

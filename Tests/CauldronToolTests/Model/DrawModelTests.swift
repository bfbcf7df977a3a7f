import CauldronModel
import CauldronModelXML
import CauldronTool
import Foundation
import TestSupport
import Testing

/// `cauldron model graph`: Mermaid's text, and a layout without overlaps.
@Suite struct DrawModelTests {
  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  @Test func `Mermaid has classes, inheritance, and one line for each pair of inverses`() throws {
    let run = try ToolRun("model", "graph", folder.write(ModelFolder.pets))
    #expect(run.status == 0)
    #expect(
      run.output == """
        classDiagram
          direction LR
          class Cat {
            toy: Toy?
          }
          class Person {
            age: Integer 16?
            name: String
            pets: [Pet]
          }
          class Pet {
            <<abstract>>
            born: Date?
            owner: Person
          }
          class Toy
          Pet <|-- Cat
          Cat --> Toy : toy
          Person "1" -- "*" Pet : pets / owner

        """)
  }

  @Test func `without attributes there are relationships alone`() throws {
    let run = try ToolRun("model", "graph", "--brief", folder.write(ModelFolder.pets))
    #expect(!run.output.contains("born"))
    #expect(run.output.contains("owner: Person"))
  }

  @Test func `SVG goes to a file or to the standard output, and is XML with both modes`() throws {
    let path = try folder.write(ModelFolder.pets)
    let file = folder.directory.file("pets.svg")
    let run = try ToolRun("model", "graph", path, "--svg", file.path)
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(try ToolRun("model", "graph", path, "--svg").output == text)
    #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(text.contains("@media (prefers-color-scheme: dark)"))
    #expect(text.contains("<title>Person.pets ↔ Pet.owner</title>"))
    #expect(throws: Never.self) { try XMLReader.document(Array(text.utf8)) }
    let wrong = try ToolRun("model", "graph", path, "--svg", "/none/x.svg")
    #expect(wrong.status == 2)
    #expect(wrong.errors.split(separator: "\n").count == 1)
  }

  @Test func `names of any letters are written as texts`() throws {
    let path = try folder.write(
      """
      <entity name="A&lt;B&gt;"><attribute name="x&amp;{y}" optional="YES" attributeType="String"/></entity>
      """)
    let mermaid = try ToolRun("model", "graph", path)
    #expect(mermaid.output.contains("class `A<B>` {\n    x& y : String?\n"))
    let svg = try ToolRun("model", "graph", path, "--svg").output
    #expect(svg.contains("A&lt;B&gt;</text>"))
    #expect(throws: Never.self) { try XMLReader.document(Array(svg.utf8)) }
  }

  @Test func `names that mean something to Mermaid stand between backticks`() throws {
    let names = ["order", "note", "Order", "Note"].map {
      "<entity name=\"\($0)1\"/><entity name=\"\($0)\"/>"
    }
    let lines = try ToolRun("model", "graph", folder.write(names.prefix(2).joined())).lines
    #expect(
      lines.dropFirst(2) == [
        "  class `note`", "  class note1", "  class `order`", "  class `order1`",
      ])
    let others = try ToolRun("model", "graph", folder.write(names.suffix(2).joined())).lines
    #expect(others.allSatisfy { !$0.contains("`") })
  }

  // MARK: Layouts

  @Test(arguments: [1, 2, 3, 10, 25, 60])
  func `boxes of random models do not overlap, and no line goes through one`(count: Int) {
    for seed in 0..<20 {
      var numbers = SeededNumbers(UInt64(seed * 100 + count))
      expectClear(DiagramLayout(ModelDiagram(entities(count, &numbers))), "\(count), \(seed)")
    }
  }

  @Test(
    .enabled(if: Fixtures.exists("models"), Fixtures.skip("models")),
    arguments: [
      "models/trailer/Trailer.xcdatamodeld", "Moody/Moody.xcdatamodeld",
      "models/LoopKit/Model.xcdatamodeld", "CareKit/SampleStore2.0.sqlite",
    ])
  func `boxes of public models do not overlap, and no line goes through one`(path: String) throws {
    let file = try ModelFile(#require(Fixtures.url(path)).path)
    expectClear(DiagramLayout(ModelDiagram(file.entities)), path[...].description)
  }

  @Test func `a link with itself, and one to a box of its column, are drawn`() {
    let layout = DiagramLayout(
      ModelDiagram([
        EntityDescription(
          name: "A",
          properties: [
            .relationship(
              RelationshipDescription(
                name: "up", destination: "A", inverse: "down", isToMany: false)),
            .relationship(
              RelationshipDescription(name: "down", destination: "A", inverse: "up", isToMany: true)
            ),
            .relationship(
              RelationshipDescription(name: "own", destination: "A", inverse: "own", isToMany: true)
            ),
          ])
      ]))
    #expect(layout.lines.count == 2)
    for line in layout.lines {
      #expect(line.points.count == 4)
      #expect(line.points.first?.x == line.points.last?.x)
    }
    expectClear(layout, "loops")
  }

  /// Checks that boxes are apart, that lines keep outside of them, and that all is in the picture.
  private func expectClear(_ layout: DiagramLayout, _ name: String) {
    let frames = layout.frames
    for (index, a) in frames.enumerated() {
      #expect(a.x >= 0 && a.y >= 0, "\(name)")
      #expect(a.x + a.width <= layout.width && a.y + a.height <= layout.height, "\(name)")
      for b in frames[(index + 1)...] { #expect(!overlap(a, b), "\(name): \(a), \(b)") }
    }
    #expect(layout.lines.count == layout.diagram.links.count, "\(name)")
    for line in layout.lines {
      for (start, end) in zip(line.points, line.points.dropFirst()) {
        // Lines go straight, and touch boxes at their sides alone.
        #expect(start.x == end.x || start.y == end.y, "\(name)")
        let stroke = Stroke(start, end)
        for box in frames { #expect(!crosses(stroke, box), "\(name): \(stroke), \(box)") }
      }
    }
  }

  private func overlap(_ a: DiagramLayout.Frame, _ b: DiagramLayout.Frame) -> Bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
  }

  /// A straight part of a line.
  private struct Stroke {
    let x: ClosedRange<Int>
    let y: ClosedRange<Int>

    init(_ a: DiagramLayout.Point, _ b: DiagramLayout.Point) {
      x = min(a.x, b.x)...max(a.x, b.x)
      y = min(a.y, b.y)...max(a.y, b.y)
    }
  }

  private func crosses(_ stroke: Stroke, _ box: DiagramLayout.Frame) -> Bool {
    stroke.x.overlaps(box.x + 1...box.x + box.width - 1)
      && stroke.y.overlaps(box.y + 1...box.y + box.height - 1)
  }

  /// Entities with attributes, superentities and relationships by chance.
  private func entities(_ count: Int, _ numbers: inout SeededNumbers) -> [EntityDescription] {
    var result = (0..<count).map { number in
      EntityDescription(
        name: "Entity\(number)",
        properties: (0..<Int.random(in: 0...6, using: &numbers)).map {
          .attribute(AttributeDescription(name: "attribute\($0)", type: .string))
        })
    }
    for number in 1..<max(1, count) where Int.random(in: 0..<5, using: &numbers) == 0 {
      result[number].superentity = "Entity\(Int.random(in: 0..<number, using: &numbers))"
    }
    for link in 0..<count {
      let (a, b) = (
        Int.random(in: 0..<count, using: &numbers), Int.random(in: 0..<count, using: &numbers)
      )
      let isOneWay = Int.random(in: 0..<6, using: &numbers) == 0
      result[a].properties.append(
        .relationship(
          RelationshipDescription(
            name: "to\(link)", destination: "Entity\(b)", inverse: isOneWay ? nil : "from\(link)",
            isToMany: Bool.random(using: &numbers))))
      if isOneWay { continue }
      result[b].properties.append(
        .relationship(
          RelationshipDescription(
            name: "from\(link)", destination: "Entity\(a)", inverse: "to\(link)",
            isToMany: Bool.random(using: &numbers))))
    }
    return result
  }
}

/// Numbers that a seed decides (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

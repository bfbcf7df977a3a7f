/// Where the boxes and lines of a diagram are drawn.
package struct DiagramLayout {
  /// The sizes of a drawing, in pixels. Heights are multiples of a row's, and every other column stands lower by
  /// less: so the lines of neighbouring columns never have one height.
  package enum Size {
    package static let row = 20
    package static let head = 40
    /// The room between two boxes of a column.
    static let gap = 40
    /// The distance of lines beside each other.
    static let track = 12
    /// The room for the marks at the ends of lines.
    static let mark = 26
    /// The widest letter of a text in a fixed-width font, at the size of rows and of names.
    static let letter = 7.4
    static let bold = 8.1
    /// The room beside texts.
    package static let padding = 10
    /// The room around all.
    static let margin = 24
    /// How much lower every other column stands.
    static let shift = 5
  }

  package struct Point: Hashable {
    package var x: Int
    package var y: Int
  }

  package struct Frame: Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
  }

  /// A line of a link, from its left end to its right one, by corners.
  package struct Line {
    package let link: Int
    package var points: [Point]
    /// Whether the line begins at the link's first end.
    package let isForth: Bool
  }

  package let diagram: ModelDiagram
  /// The places of the boxes, by their indexes.
  package private(set) var frames: [Frame]
  package private(set) var lines: [Line] = []
  package private(set) var width = 0
  package private(set) var height = 0

  /// Lays out a diagram: each connected part by itself, the larger ones first, and side by side where there is room.
  package init(_ diagram: ModelDiagram) {
    self.diagram = diagram
    frames = Array(
      repeating: Frame(x: 0, y: 0, width: 0, height: 0), count: diagram.boxes.count)
    var parts = Self.parts(of: diagram).map { DiagramPart(diagram, boxes: $0) }
    parts.sort { ($0.width * $0.height, $1.boxes[0]) > ($1.width * $1.height, $0.boxes[0]) }
    let widest = max(parts.map(\.width).max() ?? 0, 900)
    var (x, y, shelf) = (0, 0, 0)
    for part in parts {
      if x > 0, x + part.width > widest { (x, y, shelf) = (0, y + shelf + Size.gap, 0) }
      add(part, at: Point(x: x + Size.margin, y: y + Size.margin))
      x += part.width + Size.gap
      shelf = max(shelf, part.height)
      width = max(width, x - Size.gap + 2 * Size.margin)
      height = y + shelf + 2 * Size.margin
    }
  }

  private mutating func add(_ part: DiagramPart, at origin: Point) {
    for (box, frame) in part.frames {
      frames[box] = Frame(
        x: frame.x + origin.x, y: frame.y + origin.y, width: frame.width, height: frame.height)
    }
    for line in part.lines {
      let points = line.points.map { Point(x: $0.x + origin.x, y: $0.y + origin.y) }
      lines.append(Line(link: line.link, points: points, isForth: line.isForth))
    }
  }

  /// The boxes that links connect, each part in the order of the model.
  private static func parts(of diagram: ModelDiagram) -> [[Int]] {
    var part = Array(diagram.boxes.indices)
    func root(_ box: Int) -> Int { part[box] == box ? box : root(part[box]) }
    for link in diagram.links {
      let (a, b) = (root(link.first.box), root(link.second.box))
      part[max(a, b)] = min(a, b)
    }
    let groups = Dictionary(grouping: diagram.boxes.indices, by: root)
    return groups.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension ModelDiagram.Box {
  /// The width that the texts need.
  var width: Int {
    let title = name.columns * DiagramLayout.Size.bold + (isAbstract ? 80 : 0)
    let row = rows.map { ($0.name.columns + $0.type.columns + 3) * DiagramLayout.Size.letter }.max()
    return Int(max(title, row ?? 0, 90).rounded(.up)) + 2 * DiagramLayout.Size.padding
  }

  var height: Int { DiagramLayout.Size.head + rows.count * DiagramLayout.Size.row }

  /// How far below the top a line ends.
  func port(_ row: Int?) -> Int {
    guard let row else { return DiagramLayout.Size.head / 2 }
    return DiagramLayout.Size.head + row * DiagramLayout.Size.row + DiagramLayout.Size.row / 2
  }
}

extension String {
  /// The letters of a fixed-width font that the text takes; those of East Asia and pictures are two wide.
  fileprivate var columns: Double {
    reduce(0) { $0 + (($1.unicodeScalars.first?.value ?? 0) >= 0x1100 ? 2 : 1) }
  }
}

import CauldronModel

/// A layout as SVG, for light and dark pages.
package struct DiagramSVG {
  private typealias Size = DiagramLayout.Size

  private let layout: DiagramLayout

  package init(_ layout: DiagramLayout) { self.layout = layout }

  package var text: String {
    let (width, height) = (layout.width, layout.height)
    let lines =
      [
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
        viewBox="0 0 \(width) \(height)">
        """, Self.style, "<rect class=\"page\" width=\"\(width)\" height=\"\(height)\"/>",
      ] + layout.lines.map(line) + layout.diagram.boxes.indices.map(box) + ["</svg>"]
    return lines.map { "\($0)\n" }.joined()
  }

  private static let style = """
    <style>
    text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1d2733; }
    .name { font-size: 13px; font-weight: bold; }
    .abstract { font-style: italic; }
    .dim { fill: #66717f; }
    .link { fill: #1f5fae; }
    .page { fill: #ffffff; }
    .box { fill: #fbfcfe; stroke: #8a97a8; }
    .head { fill: #e3ebf5; stroke: #8a97a8; }
    .line { fill: none; stroke: #53657a; stroke-width: 1.3; }
    .hollow { fill: #ffffff; stroke: #53657a; stroke-width: 1.3; }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6ebf1; }
    .dim { fill: #9aa7b5; }
    .link { fill: #8dbdf5; }
    .page { fill: #14181d; }
    .box { fill: #1c222a; stroke: #55657a; }
    .head { fill: #2a3747; stroke: #55657a; }
    .line { stroke: #93a7bd; }
    .hollow { fill: #14181d; stroke: #93a7bd; }
    }
    </style>
    """

  // MARK: Boxes

  private func box(_ index: Int) -> String {
    let (box, frame) = (layout.diagram.boxes[index], layout.frames[index])
    let (left, right) = (frame.x + Size.padding, frame.x + frame.width - Size.padding)
    var parts = [
      """
      <g><rect class="box" x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" \
      height="\(frame.height)" rx="5"/>
      """,
      "<path class=\"head\" d=\"\(head(frame, isAlone: box.rows.isEmpty))\"/>",
      text(
        box.name, at: (left, frame.y + 25), style: box.isAbstract ? "name abstract" : "name"),
    ]
    if box.isAbstract {
      parts.append(text("abstract", at: (right, frame.y + 25), style: "dim", isAtEnd: true))
    }
    for (index, row) in box.rows.enumerated() {
      let y = frame.y + box.port(index) + 4
      parts.append(text(row.name, at: (left, y), style: row.isRelationship ? "link" : nil))
      parts.append(text(row.type, at: (right, y), style: "dim", isAtEnd: true))
    }
    return parts.joined(separator: "\n") + "</g>"
  }

  /// The part of a box behind the name, round where the box is.
  private func head(_ frame: DiagramLayout.Frame, isAlone: Bool) -> String {
    let (x, y, width, height) = (frame.x, frame.y, frame.width, Size.head)
    let bottom =
      isAlone
      ? "v\(height - 10) a5,5 0 0 1 -5,5 h-\(width - 10) a5,5 0 0 1 -5,-5 v-\(height - 10)"
      : "v\(height - 5) h-\(width) v-\(height - 5)"
    return "M\(x),\(y + 5) a5,5 0 0 1 5,-5 h\(width - 10) a5,5 0 0 1 5,5 \(bottom) z"
  }

  private func text(
    _ text: String, at point: (x: Int, y: Int), style: String?, isAtEnd: Bool = false
  ) -> String {
    let style = style.map { " class=\"\($0)\"" } ?? ""
    let anchor = isAtEnd ? " text-anchor=\"end\"" : ""
    return "<text x=\"\(point.x)\" y=\"\(point.y)\"\(style)\(anchor)>\(Self.escaped(text))</text>"
  }

  private static func escaped(_ text: String) -> String {
    text.withVisibleControls.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }

  // MARK: Lines

  private func line(_ line: DiagramLayout.Line) -> String {
    let link = layout.diagram.links[line.link]
    let (start, end) = line.isForth ? (link.first, link.second) : (link.second, link.first)
    let isLoop = link.first.box == link.second.box
    guard let first = line.points.first, let last = line.points.last else { return "" }
    let marks =
      mark(start.mark, at: first, isToRight: true) + mark(end.mark, at: last, isToRight: isLoop)
    let title = "<title>\(Self.escaped(link.title))</title>"
    return "<g>\(title)<path class=\"line\" d=\"\(path(line.points))\"/>\(marks)</g>"
  }

  /// A line with round corners; where it goes up or down by little, it bends once.
  private func path(_ points: [DiagramLayout.Point]) -> String {
    guard let first = points.first, let last = points.last else { return "" }
    var result = "M\(first.x),\(first.y)"
    for index in points.indices.dropFirst().dropLast() {
      let (before, corner, after) = (points[index - 1], points[index], points[index + 1])
      if isSlight(from: corner, to: after) {
        result += " L\(corner.x - 14),\(corner.y) C\(corner.x),\(corner.y)"
        result += " \(corner.x),\(after.y) \(corner.x + 14),\(after.y)"
      } else if !isSlight(from: before, to: corner) {
        let (a, b) = (near(corner, to: before), near(corner, to: after))
        result += " L\(a.x),\(a.y) Q\(corner.x),\(corner.y) \(b.x),\(b.y)"
      }
    }
    return result + " L\(last.x),\(last.y)"
  }

  /// Whether a line goes up or down by less than its corners need.
  private func isSlight(from a: DiagramLayout.Point, to b: DiagramLayout.Point) -> Bool {
    a.x == b.x && abs(a.y - b.y) < 12
  }

  /// A point on the way from a corner to another one, at most half of it away.
  private func near(
    _ corner: DiagramLayout.Point, to other: DiagramLayout.Point
  ) -> DiagramLayout.Point {
    let (dx, dy) = (other.x - corner.x, other.y - corner.y)
    let length = abs(dx) + abs(dy)
    let step = min(6, length / 2)
    return DiagramLayout.Point(
      x: corner.x + dx.signum() * step, y: corner.y + dy.signum() * step)
  }

  /// What a line has at its end.
  /// - Parameter isToRight: Whether the line goes from there to the right.
  private func mark(
    _ mark: ModelDiagram.Mark, at point: DiagramLayout.Point, isToRight: Bool
  ) -> String {
    let (x, y, way) = (point.x, point.y, isToRight ? 1 : -1)
    switch mark {
    case .none: return ""
    case .arrow:
      return """
        <path class="line" d="M\(x + 9 * way),\(y - 5) L\(x),\(y) L\(x + 9 * way),\(y + 5)"/>
        """
    case .triangle:
      return """
        <path class="hollow" d="M\(x),\(y) L\(x + 13 * way),\(y - 7) L\(x + 13 * way),\(y + 7) z"/>
        """
    case .many:
      return """
        <path class="line" d="M\(x),\(y - 6) L\(x + 11 * way),\(y) L\(x),\(y + 6)"/>
        """
    case .one(let isOptional):
      let bar = "<path class=\"line\" d=\"M\(x + 6 * way),\(y - 6) V\(y + 6)\"/>"
      let ring = "<circle class=\"hollow\" cx=\"\(x + 14 * way)\" cy=\"\(y)\" r=\"4\"/>"
      return isOptional ? bar + ring : bar
    }
  }
}

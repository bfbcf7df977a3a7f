/// The layout of boxes that links connect, from the corner at the top left.
struct DiagramPart {
  private typealias Size = DiagramLayout.Size
  private typealias Item = DiagramColumns.Item

  let boxes: [Int]
  private(set) var frames: [Int: DiagramLayout.Frame] = [:]
  private(set) var lines: [DiagramLayout.Line] = []
  private(set) var width = 0
  private(set) var height = 0

  private let diagram: ModelDiagram
  private let columns: DiagramColumns
  /// The tops of boxes and gaps.
  private var tops: [Item: Int] = [:]

  init(_ diagram: ModelDiagram, boxes: [Int]) {
    self.diagram = diagram
    self.boxes = boxes
    columns = DiagramColumns(diagram, boxes: boxes) { diagram.boxes[$0].height }
    stack()
    for round in 0..<10 { settle(isForth: round.isMultiple(of: 2)) }
    settle(isForth: true)
    raise()
    straighten()
    draw()
  }

  // MARK: Heights

  private func height(_ item: Item) -> Int {
    if case .box(let box) = item { diagram.boxes[box].height } else { Size.row }
  }

  /// The room between an item and the one below.
  private func room(between item: Item, and next: Item) -> Int {
    if case (.box, .box) = (item, next) { Size.gap } else { Size.row }
  }

  /// How far below the top of an item a link meets it.
  private func port(_ item: Item, of link: Int) -> Int {
    guard case .box(let box) = item else { return Size.row / 2 }
    let ends = diagram.links[link]
    let end = ends.first.box == box ? ends.first : ends.second
    return diagram.boxes[box].port(end.row)
  }

  private mutating func stack() {
    for column in columns.columns {
      var y = 0
      for (index, item) in column.enumerated() {
        tops[item] = y
        y +=
          height(item)
          + (index + 1 < column.count ? room(between: item, and: column[index + 1]) : 0)
      }
    }
  }

  /// Moves the items of each column to where their links are short, without changing their order.
  private mutating func settle(isForth: Bool) {
    let range = Array(columns.columns.indices)
    for column in isForth ? range : range.reversed() {
      let items = columns.columns[column]
      let wishes = wishes(in: column, isForth: isForth)
      var offset = 0
      var blocks: [SettledBlock] = []
      for (index, item) in items.enumerated() {
        blocks.append(SettledBlock(item, wish: wishes[item], at: offset, from: tops[item] ?? 0))
        // Blocks that would overlap move as one.
        while blocks.count > 1, let last = blocks.last, blocks[blocks.count - 2].top > last.top {
          blocks.removeLast()
          blocks[blocks.count - 1].join(last)
        }
        if index + 1 < items.count {
          offset += height(item) + room(between: item, and: items[index + 1])
        }
      }
      for block in blocks {
        let top = Int((block.top / Double(Size.row)).rounded()) * Size.row
        for (item, offset) in block.items { tops[item] = top + offset }
      }
    }
  }

  /// Items that stand as close to each other as they may.
  private struct SettledBlock {
    /// The items, with how far they are below the top of the column.
    private(set) var items: [(Item, Int)]
    private var sum: Double
    private var weight: Double

    /// - Parameters:
    ///   - wish: Where the item would like to stand; nil where it does not matter.
    ///   - offset: How far it is below the top of the column where all stand close.
    ///   - top: Where it stands.
    init(_ item: Item, wish: (sum: Double, count: Double)?, at offset: Int, from top: Int) {
      items = [(item, offset)]
      let (sum, count) = wish ?? (Double(top) * 0.1, 0.1)
      self.sum = sum - Double(offset) * count
      weight = count
    }

    /// Where the top of the column would be.
    var top: Double { sum / weight }

    mutating func join(_ other: SettledBlock) {
      items += other.items
      sum += other.sum
      weight += other.weight
    }
  }

  /// The tops at which the links of items would be straight: their sums and numbers.
  private func wishes(in column: Int, isForth: Bool) -> [Item: (sum: Double, count: Double)] {
    var wishes: [Item: (sum: Double, count: Double)] = [:]
    func wish(_ item: Item, near other: Item, by link: Int, weight: Double) {
      let y = Double((tops[other] ?? 0) + port(other, of: link) - port(item, of: link))
      let old = wishes[item] ?? (0, 0)
      wishes[item] = (old.sum + y * weight, old.count + weight)
    }
    // The side from which the round comes counts most.
    if column > 0 {
      for step in columns.steps[column - 1] {
        wish(step.to, near: step.from, by: step.link, weight: isForth ? 1 : 0.2)
      }
    }
    for step in columns.steps[column] {
      wish(step.from, near: step.to, by: step.link, weight: isForth ? 0.2 : 1)
    }
    return wishes
  }

  /// Has the topmost item begin at the top, and every other column stand a little lower.
  private mutating func raise() {
    let least = tops.values.min() ?? 0
    for (index, column) in columns.columns.enumerated() {
      let shift = index.isMultiple(of: 2) ? 0 : Size.shift
      for item in column { tops[item, default: 0] += shift - least }
    }
  }

  /// Moves a gap by as much as its column is lower, where its link comes in straight then and meets no other one.
  private mutating func straighten() {
    for column in columns.columns.indices.dropFirst() {
      for step in columns.steps[column - 1] {
        guard case .gap = step.to else { continue }
        let y = (tops[step.from] ?? 0) + port(step.from, of: step.link)
        let distance = y - (tops[step.to] ?? 0) - port(step.to, of: step.link)
        let isTaken = columns.steps[column].contains { other in
          other.link != step.link && (tops[other.to] ?? 0) + port(other.to, of: other.link) == y
        }
        if abs(distance) == Size.shift, !isTaken { tops[step.to, default: 0] += distance }
      }
    }
  }

  // MARK: Lines

  private mutating func draw() {
    var (x, parts): (Int, [Int: [DiagramLayout.Point]]) = (0, [:])
    for (index, column) in columns.columns.enumerated() {
      let width =
        column.map { item in
          if case .box(let box) = item { diagram.boxes[box].width } else { 0 }
        }.max() ?? 0
      for case .box(let box) in column {
        frames[box] = DiagramLayout.Frame(
          x: x, y: tops[.box(box)] ?? 0, width: width, height: diagram.boxes[box].height)
      }
      x += width
      var channel = DiagramChannel(left: x + Size.mark, spacing: Size.track)
      for step in columns.steps[index] { channel.add(crossing(step)) }
      for loop in loops(in: column) { channel.add(loop) }
      channel.assign()
      // The right side of a part needs room for loops alone.
      let isLast = index + 1 == columns.columns.count
      let end = isLast && channel.isEmpty ? x : x + 2 * Size.mark + channel.width
      for (link, points) in channel.routes(from: x, to: end) { parts[link, default: []] += points }
      x = end
    }
    width = x
    height = tops.map { $1 + height($0) }.max() ?? 0
    for (link, points) in parts.sorted(by: { $0.key < $1.key }) { add(points, of: link) }
  }

  private func crossing(_ step: DiagramColumns.Step) -> DiagramChannel.Crossing {
    let link = diagram.links[step.link]
    let shared = link.isInheritance && step.from == .box(link.first.box) ? link.first.box : nil
    return DiagramChannel.Crossing(
      link: step.link, from: (tops[step.from] ?? 0) + port(step.from, of: step.link),
      to: (tops[step.to] ?? 0) + port(step.to, of: step.link), isLoop: false, shared: shared)
  }

  /// The links of a column's boxes with themselves.
  private func loops(in column: [DiagramColumns.Item]) -> [DiagramChannel.Crossing] {
    diagram.links.enumerated().compactMap { index, link in
      let box = link.first.box
      guard box == link.second.box, column.contains(.box(box)) else { return nil }
      let (top, here) = (tops[.box(box)] ?? 0, diagram.boxes[box])
      let ports = (here.port(link.first.row), here.port(link.second.row))
      // A relationship that is its own inverse comes back to the name.
      let end = ports.0 == ports.1 ? here.port(nil) : ports.1
      return DiagramChannel.Crossing(
        link: index, from: top + ports.0, to: top + end, isLoop: true, shared: nil)
    }
  }

  private mutating func add(_ points: [DiagramLayout.Point], of link: Int) {
    var corners: [DiagramLayout.Point] = []
    for point in points where corners.last != point {
      let count = corners.count
      // A point between two others on one line is no corner.
      if count > 1, corners[count - 1].y == point.y, corners[count - 2].y == point.y {
        corners.removeLast()
      }
      corners.append(point)
    }
    let ends = diagram.links[link]
    let start = frames[ends.first.box].map { $0.x + $0.width }
    let isForth = ends.first.box == ends.second.box || start == corners.first?.x
    lines.append(DiagramLayout.Line(link: link, points: corners, isForth: isForth))
  }
}

/// The room between two columns, in which lines go up and down beside each other.
struct DiagramChannel {
  /// A line through the channel.
  struct Crossing {
    let link: Int
    /// Where it comes from at the left.
    let from: Int
    /// Where it goes to at the right, or at the left if it is a loop.
    let to: Int
    let isLoop: Bool
    /// The box with whose other lines it goes together; nil where it goes alone.
    let shared: Int?
    /// Its place beside the others.
    var track = 0

    /// The heights between which it goes up or down.
    var span: ClosedRange<Int> { min(from, to) - 8...max(from, to) + 8 }
    var isFlat: Bool { from == to }
    var isRising: Bool { to < from }
  }

  private let left: Int
  private let spacing: Int
  private var crossings: [Crossing] = []

  init(left: Int, spacing: Int) { (self.left, self.spacing) = (left, spacing) }

  var isEmpty: Bool { crossings.isEmpty }
  var width: Int { ((crossings.map(\.track).max() ?? 0)) * spacing }

  mutating func add(_ crossing: Crossing) { crossings.append(crossing) }

  /// Gives each line a track, on which it has its heights for itself. Loops come first. Of rising lines the upper ones
  /// are further left, of falling lines the lower ones: so they do not cross.
  mutating func assign() {
    crossings.sort { a, b in
      if a.isLoop != b.isLoop { return a.isLoop }
      if a.isRising != b.isRising { return a.isRising }
      return a.isRising ? (a.from, a.link) < (b.from, b.link) : (a.from, b.link) > (b.from, a.link)
    }
    for index in crossings.indices where !crossings[index].isFlat {
      let others = crossings[..<index].filter { !$0.isFlat && overlaps($0, with: crossings[index]) }
      if let shared = crossings[index].shared,
        let other = crossings[..<index].first(where: { $0.shared == shared && !$0.isFlat })
      {
        crossings[index].track = other.track
        continue
      }
      let least =
        others.filter { $0.isRising == crossings[index].isRising }.map(\.track).max() ?? -1
      let taken = Set(others.map(\.track))
      crossings[index].track =
        (least + 1...least + 1 + taken.count).first { !taken.contains($0) } ?? 0
    }
  }

  private func overlaps(_ a: Crossing, with b: Crossing) -> Bool {
    // Lines that go together may come to lie anywhere between theirs.
    if a.shared != nil || b.shared != nil { return a.wide(crossings).overlaps(b.wide(crossings)) }
    return a.span.overlaps(b.span)
  }

  /// The corners of each line, from the left side of the channel to the right one.
  func routes(from start: Int, to end: Int) -> [(Int, [DiagramLayout.Point])] {
    crossings.map { crossing in
      let x = left + crossing.track * spacing
      var points = [DiagramLayout.Point(x: start, y: crossing.from)]
      if !crossing.isFlat {
        points += [
          DiagramLayout.Point(x: x, y: crossing.from), DiagramLayout.Point(x: x, y: crossing.to),
        ]
      }
      points.append(DiagramLayout.Point(x: crossing.isLoop ? start : end, y: crossing.to))
      return (crossing.link, points)
    }
  }
}

extension DiagramChannel.Crossing {
  /// The heights of all lines that go together with this one.
  fileprivate func wide(_ all: [DiagramChannel.Crossing]) -> ClosedRange<Int> {
    guard let shared else { return span }
    let spans = all.filter { $0.shared == shared }.map(\.span)
    let low = spans.map(\.lowerBound).min() ?? span.lowerBound
    let high = spans.map(\.upperBound).max() ?? span.upperBound
    return low...high
  }
}

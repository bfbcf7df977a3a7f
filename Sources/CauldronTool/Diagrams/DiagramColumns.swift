/// The columns in which the boxes of a connected diagram stand, and their order in each.
///
/// A link leads from one column to the next one only: where it is longer, it passes through gaps that columns
/// leave for it.
struct DiagramColumns {
  /// A box, or the gap through which a link passes.
  enum Item: Hashable {
    case box(Int)
    case gap(link: Int, column: Int)
  }

  /// A part of a link, from one column to the next one.
  struct Step: Hashable {
    let link: Int
    let from: Item
    let to: Item
  }

  private(set) var columns: [[Item]]
  /// The steps that leave each column for the next one.
  private(set) var steps: [[Step]]

  /// - Parameters:
  ///   - diagram: The diagram.
  ///   - boxes: The boxes, which links connect.
  ///   - height: The height of a box, by which tall columns are divided.
  init(_ diagram: ModelDiagram, boxes: [Int], height: (Int) -> Int) {
    var ranks = DiagramRanks(diagram, boxes: boxes)
    ranks.divide(height: height)
    let place = ranks.place
    columns = Array(repeating: [], count: (place.values.max() ?? 0) + 1)
    steps = Array(repeating: [], count: columns.count)
    for box in boxes { columns[place[box] ?? 0].append(.box(box)) }
    for (index, link) in diagram.links.enumerated() {
      let ends = [link.first.box, link.second.box]
      guard let a = place[ends[0]], let b = place[ends[1]], ends[0] != ends[1] else { continue }
      let (left, right) = a < b ? (a, b) : (b, a)
      var last = Item.box(a < b ? ends[0] : ends[1])
      for column in left..<right {
        let isEnd = column + 1 == right
        let next =
          isEnd ? Item.box(a < b ? ends[1] : ends[0]) : .gap(link: index, column: column + 1)
        if !isEnd { columns[column + 1].append(next) }
        steps[column].append(Step(link: index, from: last, to: next))
        last = next
      }
    }
    order()
  }

  /// Orders each column by the middle of what its items are linked with, to and fro, and keeps the best order.
  private mutating func order() {
    var best = columns
    var fewest = crossings
    for round in 0..<24 where fewest > 0 {
      let isForth = round.isMultiple(of: 2)
      let range =
        isForth ? Array(columns.indices.dropFirst()) : columns.indices.dropLast().reversed()
      for column in range { sort(column, isForth: isForth) }
      let count = crossings
      if count < fewest { (best, fewest) = (columns, count) }
    }
    columns = best
  }

  private mutating func sort(_ column: Int, isForth: Bool) {
    let neighbours = columns[isForth ? column - 1 : column + 1]
    let places = Dictionary(uniqueKeysWithValues: neighbours.enumerated().map { ($1, Double($0)) })
    var sums: [Item: (sum: Double, count: Double)] = [:]
    for step in steps[isForth ? column - 1 : column] {
      let (item, other) = isForth ? (step.to, step.from) : (step.from, step.to)
      let sum = sums[item] ?? (0, 0)
      sums[item] = (sum.sum + (places[other] ?? 0), sum.count + 1)
    }
    let keys = columns[column].enumerated().map { place, item in
      sums[item].map { $0.sum / $0.count } ?? Double(place)
    }
    columns[column] = zip(columns[column], keys).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
  }

  /// How many pairs of steps cross.
  private var crossings: Int {
    steps.indices.dropLast().reduce(0) { sum, column in
      let left = Dictionary(uniqueKeysWithValues: columns[column].enumerated().map { ($1, $0) })
      let right = Dictionary(
        uniqueKeysWithValues: columns[column + 1].enumerated().map { ($1, $0) })
      let pairs = steps[column].map { (left[$0.from] ?? 0, right[$0.to] ?? 0) }
      var count = 0
      for (index, a) in pairs.enumerated() {
        for b in pairs[(index + 1)...] where (a.0 - b.0) * (a.1 - b.1) < 0 { count += 1 }
      }
      return sum + count
    }
  }
}

/// Which column each box stands in.
struct DiagramRanks {
  private(set) var place: [Int: Int] = [:]
  private let boxes: [Int]
  /// The boxes to the right of each, by links.
  private var after: [Int: Set<Int>] = [:]
  private var before: [Int: Set<Int>] = [:]

  init(_ diagram: ModelDiagram, boxes: [Int]) {
    self.boxes = boxes
    let known = Set(boxes)
    var followers: [Int: Set<Int>] = [:]
    for link in diagram.links where link.first.box != link.second.box {
      guard known.contains(link.first.box) else { continue }
      followers[link.first.box, default: []].insert(link.second.box)
    }
    let order = Self.order(of: boxes, followers)
    let number = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    // A link against the order is turned round.
    for (box, list) in followers {
      for other in list {
        let isForth = (number[box] ?? 0) < (number[other] ?? 0)
        let (left, right) = isForth ? (box, other) : (other, box)
        after[left, default: []].insert(right)
        before[right, default: []].insert(left)
      }
    }
    for box in order {
      place[box] = (before[box] ?? []).map { (place[$0] ?? 0) + 1 }.max() ?? 0
    }
    // What has more to its right is drawn near to that.
    for box in order.reversed() {
      let (left, right) = (before[box] ?? [], after[box] ?? [])
      guard right.count > left.count, let nearest = right.compactMap({ place[$0] }).min() else {
        continue
      }
      place[box] = nearest - 1
    }
    shiftToZero()
  }

  /// An order with few links against it: what nothing leads to first, what leads nowhere last, else the box with
  /// the most to its right (P. Eades, X. Lin, W. F. Smyth, 1993).
  private static func order(of boxes: [Int], _ followers: [Int: Set<Int>]) -> [Int] {
    var (out, into): ([Int: Int], [Int: Int]) = ([:], [:])
    var leaders: [Int: [Int]] = [:]
    for (box, list) in followers {
      out[box] = list.count
      for other in list {
        into[other, default: 0] += 1
        leaders[other, default: []].append(box)
      }
    }
    var rest = Set(boxes)
    var (head, tail): ([Int], [Int]) = ([], [])
    while !rest.isEmpty {
      let list = rest.sorted()
      let sink = list.first { out[$0, default: 0] == 0 && into[$0, default: 0] > 0 }
      let next =
        sink ?? list.first { into[$0, default: 0] == 0 }
        ?? list.max {
          out[$0, default: 0] - into[$0, default: 0] < out[$1, default: 0] - into[$1, default: 0]
        }
      guard let next else { break }
      if sink == nil { head.append(next) } else { tail.append(next) }
      rest.remove(next)
      for other in followers[next] ?? [] { into[other, default: 0] -= 1 }
      for other in leaders[next] ?? [] { out[other, default: 0] -= 1 }
    }
    return head + tail.reversed()
  }

  /// Divides columns that are much taller than the drawing should be.
  mutating func divide(height: (Int) -> Int) {
    let heights = boxes.map { Double(height($0) + 40) }
    let area = heights.reduce(0, +) * 300
    let limit = max((area / 1.5).squareRoot() * 1.1, heights.max() ?? 0, 400)
    var column = 0
    while column <= (place.values.max() ?? 0) {
      var (sum, overflow): (Double, [Int]) = (0, [])
      // Those that have more to their left stay.
      let members = boxes.filter { place[$0] == column }.sorted {
        ((after[$0] ?? []).count, $0) < ((after[$1] ?? []).count, $1)
      }
      for box in members {
        sum += Double(height(box) + 40)
        if sum > limit, box != members.first { overflow.append(box) }
      }
      if !overflow.isEmpty {
        for (box, other) in place where other > column { place[box] = other + 1 }
        for box in overflow { place[box] = column + 1 }
      }
      column += 1
    }
  }

  private mutating func shiftToZero() {
    let least = place.values.min() ?? 0
    for (box, column) in place { place[box] = column - least }
  }
}

/// The sections of a list and how many elements each has, with sums, so that an index becomes a
/// section and an item, and back, in O(log s).
///
/// It is a value that never changes. A change makes another one that shares all chunks of sections
/// but those that were changed: O(s / 256) beside the changes.
package struct ListSections<Value: Hashable & Sendable>: Sendable {
  let chunks: [SectionChunk<Value>]
  /// How many sections each chunk and those before it have.
  let sectionEnds: [Int]
  /// How many elements each chunk and those before it have.
  let elementEnds: [Int]

  init(chunks: [SectionChunk<Value>]) {
    self.chunks = chunks
    sectionEnds = chunks.sums { $0.runs.count }
    elementEnds = chunks.sums(of: \.count)
  }

  /// The number of sections.
  package var count: Int { sectionEnds.last ?? 0 }

  /// The number of elements in all of them.
  package var elementCount: Int { elementEnds.last ?? 0 }

  /// The section at an index that there is.
  package subscript(section: Int) -> SectionRun<Value> {
    let (chunk, run) = chunk(of: section)
    return chunks[chunk].runs[run]
  }

  /// The index in the list of the first element of a section; the number of elements for the index
  /// behind the last section.
  package func start(of section: Int) -> Int {
    if section == count { return elementCount }
    let (chunk, run) = chunk(of: section)
    let start = chunk == 0 ? 0 : elementEnds[chunk - 1]
    return run == 0 ? start : start + chunks[chunk].ends[run - 1]
  }

  /// The section that has the element at an index.
  package func section(at index: Int) -> Int {
    precondition(index >= 0 && index < elementCount, "An index lies outside of the list.")
    let chunk = elementEnds.partition { $0 > index }
    let rest = chunk == 0 ? index : index - elementEnds[chunk - 1]
    let run = chunks[chunk].ends.partition { $0 > rest }
    return chunk == 0 ? run : sectionEnds[chunk - 1] + run
  }

  private func chunk(of section: Int) -> (chunk: Int, run: Int) {
    precondition(section >= 0 && section < count, "There is no such section.")
    let chunk = sectionEnds.partition { $0 > section }
    return (chunk, chunk == 0 ? section : section - sectionEnds[chunk - 1])
  }
}

extension ListSections {
  /// The sections of elements that are in order: O(n) comparisons of neighbours.
  package static func of<Sectioning: ListSectioning>(
    _ elements: [Sectioning.Element], by sectioning: Sectioning
  ) throws(RepeatedSection<Value>) -> ListSections where Sectioning.Section == Value {
    var builder = SectionBuilder<Value>()
    var start = 0
    for index in elements.indices.dropFirst()
    where !sectioning.isTogether(elements[index - 1], elements[index]) {
      builder.append(sectioning.section(of: elements[start]), index - start)
      start = index
    }
    if let element = elements.last {
      builder.append(sectioning.section(of: element), elements.count - start)
    }
    let sections = builder.finish()
    try sections.check()
    return sections
  }

  /// Throws if two sections have the same value, one of some values if these are given: O(s).
  func check(_ values: Set<Value>? = nil) throws(RepeatedSection<Value>) {
    var seen: Set<Value> = []
    var last: Value?
    for chunk in chunks {
      for run in chunk.runs {
        if values?.contains(run.value) ?? true, !seen.insert(run.value).inserted, let last {
          throw RepeatedSection(value: run.value, between: last)
        }
        last = run.value
      }
    }
  }
}

extension ListSections {
  /// The sections after changes, in the order of the list: O(k log s + s / 256), and O(s) more where
  /// a section is new, to see that there is none of its value elsewhere.
  func applying(
    _ changes: [SectionChange<Value>]
  ) throws(RepeatedSection<Value>) -> ListSections {
    if changes.isEmpty { return self }
    var merger = SectionMerger(old: self)
    for change in changes { merger.apply(change) }
    let (sections, values) = merger.finish()
    if !values.isEmpty { try sections.check(values) }
    return sections
  }
}

/// Where an element lies in a list with sections.
public struct ListPath: Hashable, Comparable, Sendable {
  /// The index of the section.
  public let section: Int
  /// The index of the element in it.
  public let item: Int

  /// The item of a section, both counted from 0.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// By section, then by item.
  public static func < (a: ListPath, b: ListPath) -> Bool {
    (a.section, a.item) < (b.section, b.item)
  }
}

extension ListPath: CustomStringConvertible {
  /// The section and the item, as an index path prints them: `[0, 3]`.
  public var description: String { "[\(section), \(item)]" }
}

/// A section: adjacent elements of equal section value.
package struct SectionRun<Value: Hashable & Sendable>: Hashable, Sendable {
  package let value: Value
  /// The number of its elements, at least one.
  package internal(set) var count: Int

  package init(_ value: Value, _ count: Int) {
    self.value = value
    self.count = count
  }
}

/// Some adjacent sections of a list; never changes once made.
final class SectionChunk<Value: Hashable & Sendable>: Sendable {
  /// The most sections of a chunk.
  static var most: Int { 256 }
  /// Fewer ones are copied into a new chunk rather than kept apart.
  static var fewest: Int { 128 }

  let runs: [SectionRun<Value>]
  /// How many elements each section and those before it in the chunk have.
  let ends: [Int]

  init(_ runs: [SectionRun<Value>]) {
    self.runs = runs
    ends = runs.sums(of: \.count)
  }

  /// The number of elements.
  var count: Int { ends.last ?? 0 }
}

extension Array {
  /// The sums of a number of each element and those before it.
  func sums(of number: (Element) -> Int) -> [Int] {
    var sum = 0
    return map {
      sum += number($0)
      return sum
    }
  }
}

/// Brings changes into sections, in one pass.
struct SectionMerger<Value: Hashable & Sendable> {
  private let old: ListSections<Value>
  private var builder = SectionBuilder<Value>()
  /// The values of the sections that were begun by a change, and may be elsewhere, too.
  private var begun: Set<Value> = []
  /// The place in the old sections, as an index of the list, and as a chunk, a section in it and a
  /// number of elements in that.
  private var place = 0
  private var chunk = 0
  private var run = 0
  private var item = 0

  init(old: ListSections<Value>) { self.old = old }

  mutating func apply(_ change: SectionChange<Value>) {
    copy(until: change.place)
    if let value = change.inserted, builder.append(value, 1) { begun.insert(value) }
    if change.isRemoval { step(1) }
  }

  mutating func finish() -> (ListSections<Value>, Set<Value>) {
    copy(until: old.elementCount)
    return (builder.finish(), begun)
  }

  private mutating func copy(until end: Int) {
    while place < end {
      let source = old.chunks[chunk]
      if run == 0, item == 0, source.count <= end - place {
        builder.append(source)
        place += source.count
        chunk += 1
      } else {
        copyRun(source.runs[run], until: end)
      }
    }
  }

  private mutating func copyRun(_ source: SectionRun<Value>, until end: Int) {
    let count = min(source.count - item, end - place)
    // The rest of a section is a section again if another one was put into it.
    if builder.append(source.value, count), item > 0 { begun.insert(source.value) }
    step(count)
  }

  /// Goes ahead by elements of one section.
  private mutating func step(_ count: Int) {
    place += count
    item += count
    let source = old.chunks[chunk]
    if item < source.runs[run].count { return }
    item = 0
    run += 1
    if run < source.runs.count { return }
    run = 0
    chunk += 1
  }
}

/// Puts sections together from runs and from chunks that can be shared.
struct SectionBuilder<Value: Hashable & Sendable> {
  private var chunks: [SectionChunk<Value>] = []
  /// The sections behind the last chunk.
  private var open: [SectionRun<Value>] = []

  /// Adds elements of one section; whether that is a section of its own now, and none continued.
  @discardableResult
  mutating func append(_ value: Value, _ count: Int) -> Bool {
    if open.last?.value == value {
      open[open.count - 1].count += count
      return false
    }
    if open.isEmpty, let last = chunks.last, last.runs.last?.value == value {
      open = last.runs
      chunks.removeLast()
      return append(value, count)
    }
    if open.count == 2 * SectionChunk<Value>.most { close(SectionChunk<Value>.most) }
    open.append(SectionRun(value, count))
    return true
  }

  /// Adds all sections of a chunk, which is shared if that leaves no small one before it.
  mutating func append(_ chunk: SectionChunk<Value>) {
    let fewest = SectionChunk<Value>.fewest
    let last = open.last ?? chunks.last?.runs.last
    let isShared =
      chunk.runs.count >= fewest && (open.isEmpty || open.count >= fewest)
      && last?.value != chunk.runs.first?.value
    if !isShared {
      for run in chunk.runs { append(run.value, run.count) }
    } else {
      close(open.count)
      chunks.append(chunk)
    }
  }

  /// Makes chunks of the first sections that are open.
  private mutating func close(_ count: Int) {
    let most = SectionChunk<Value>.most
    for start in stride(from: 0, to: count, by: most) {
      chunks.append(SectionChunk(Array(open[start..<min(start + most, count)])))
    }
    open.removeFirst(count)
  }

  mutating func finish() -> ListSections<Value> {
    close(open.count)
    return ListSections(chunks: chunks)
  }
}

/// One change of a list as its sections see it.
struct SectionChange<Value: Hashable & Sendable> {
  /// Where it is: before the element that had this index when nothing was changed yet.
  let place: Int
  /// Whether that element goes.
  let isRemoval: Bool
  /// The section value of the element that comes, if one does.
  let inserted: Value?
}

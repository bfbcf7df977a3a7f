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

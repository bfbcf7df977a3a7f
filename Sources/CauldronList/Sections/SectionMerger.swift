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

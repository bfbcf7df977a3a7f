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

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

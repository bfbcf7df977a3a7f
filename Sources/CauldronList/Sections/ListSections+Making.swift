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

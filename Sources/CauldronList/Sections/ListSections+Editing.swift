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

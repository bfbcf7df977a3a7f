import CauldronList
import CauldronModel

/// Runs what checks the order of sections, and says which two do not fit.
func sectioned<R>(
  _ body: () throws -> R
) throws -> R {
  do {
    return try body()
  } catch let error as RepeatedSection<AttributeScalar> {
    let value = SectionNames.name(of: error.value, form: nil)
    throw CauldronError(
      .queryUnsupported,
      "The section \"\(value)\" comes again behind \"\(SectionNames.name(of: error.between, form: nil))\": the"
        + " order of the list does not keep its objects together.",
      hint:
        "Sort by the attribute that the sections are made of first, or make names that follow its"
        + " order.")
  }
}

import Cauldron

extension MagicalRecord {
  /// Tells the handler of what an import has refused or left out; that is logged already.
  static func tell(of report: ImportReport) {
    for problem in report.problems {
      var error = CauldronError(
        problem.code, "Cannot import \(report.entity) \(problem).", hint: "Mend the record.")
      error.entity = report.entity
      tell(error)
    }
  }
}

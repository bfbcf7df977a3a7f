import Foundation
import Testing

@Suite(.enabled(if: SoakProgram.isUsable, SoakProgram.skip)) struct FaultTests {
  /// A sample of all faults, another one each time; a failure prints what repeats it.
  @Test func `whatever call to the disk or the store fails, answers are true and nothing is lost`()
    async throws
  {
    let outcome = try await SoakProgram.run(["faults", "--seconds", "40", "--jobs", "1"])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(
      outcome.output.contains("0 lost, 0 torn, 0 false answers, 0 unusable"), "\(outcome.output)")
  }

  @Test func `a commit that could not be synchronised is not there after a kill, either`()
    async throws
  {
    try await inject("chain/xSync/IOERR_FSYNC/3/once")
  }

  @Test func `rows are read anew when changes are rolled back that may have been written`()
    async throws
  {
    try await inject("chain/save/written/2/ever")
  }

  @Test func `a store that could not be closed is closed by another call`() async throws {
    try await inject("close/close/before/1/ever")
  }

  private func inject(_ recipe: String) async throws {
    let outcome = try await SoakProgram.run(["faults", "--only", recipe])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("faults: 1 injected"), "\(outcome.output)")
  }
}

import Foundation

/// Hands recipes to worker processes and counts what they find.
///
/// `@unchecked Sendable` because what changes is touched with `lock` held.
final class FaultCampaign: @unchecked Sendable {
  private let folder: URL
  private let jobs: Int
  private let seconds: Double?
  private var deadline = Date.distantFuture
  private let began = Date()
  private let lock = NSLock()
  private var waiting: ArraySlice<Fault> = []
  private var reports: [(Fault, WorkerProcess.Report)] = []
  private var injected = 0
  private var found: [Finding.Kind: Int] = [:]
  private var shown = Date()

  /// A recipe takes milliseconds; a worker that is silent for so many seconds stands still.
  private static let patience = 60.0

  init(_ folder: URL, jobs: Int, seconds: Double?) {
    self.folder = folder
    self.jobs = jobs
    self.seconds = seconds
  }

  var isClean: Bool { found.isEmpty && injected > 0 }

  var summary: String {
    let counts = Finding.Kind.allCases.map { "\(found[$0] ?? 0) \($0.name)" }
    let seconds = Int(Date().timeIntervalSince(began).rounded())
    return "faults: \(injected) injected, \(counts.joined(separator: ", ")), \(seconds) s"
  }

  /// How often each place is called, as the faults that this makes.
  func count(_ places: [Fault]) -> [Fault] {
    // How a method fails does not change how often it is called until then.
    let groups = Dictionary(grouping: places, by: \.countingKey)
    work(groups.values.compactMap(\.first), isCounting: true)
    var calls: [String: Int] = [:]
    for (place, report) in reports { calls[place.countingKey] = report.calls }
    reports = []
    return places.flatMap { FaultList.faults(at: $0, calls: calls[$0.countingKey] ?? 0) }
  }

  func run(_ faults: [Fault]) {
    if let seconds { deadline = Date(timeIntervalSinceNow: seconds) }
    work(faults, isCounting: false)
  }

  private func work(_ faults: [Fault], isCounting: Bool) {
    waiting = faults[...]
    let group = DispatchGroup()
    for _ in 0..<min(jobs, faults.count) {
      group.enter()
      Thread.detachNewThread {
        self.work(isCounting)
        group.leave()
      }
    }
    group.wait()
  }

  private func work(_ isCounting: Bool) {
    var worker: WorkerProcess?
    defer { worker?.close() }
    while let fault = next() {
      do {
        let process = try worker ?? WorkerProcess(in: folder)
        worker = process
        let report = process.run(fault, patience: Self.patience)
        if report.isOver { worker = nil }
        note(fault, report, isCounting)
      } catch {
        print("No worker can be started: \(error)")
        return
      }
    }
  }

  private func next() -> Fault? {
    lock.withLock { Date() < deadline ? waiting.popFirst() : nil }
  }

  private func note(_ fault: Fault, _ report: WorkerProcess.Report, _ isCounting: Bool) {
    lock.withLock {
      if isCounting { reports.append((fault, report)) }
      if report.hasInjected { injected += 1 }
      for kind in Set(report.findings.map(\.kind)) { found[kind, default: 0] += 1 }
      if !report.findings.isEmpty {
        for finding in report.findings { print("\(fault): \(finding)") }
        print("again: swift run -c release soak faults --only \(fault)")
      }
      if Date().timeIntervalSince(shown) > 10, !isCounting {
        shown = Date()
        print("\(summary), \(waiting.count) to go")
      }
      fflush(nil)
    }
  }
}

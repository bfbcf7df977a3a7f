import Foundation
import SystemSQLite

/// What the process uses of the machine's memory.
enum Memory {
  /// Resident bytes now, after what the allocator keeps in reserve has been given back.
  static func resident() -> Int {
    malloc_trim(0)
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    guard let fields, fields.count > 1, let pages = Int(fields[1]) else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Has the peak begin anew.
  static func forgetPeak() {
    malloc_trim(0)
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  }

  /// The most bytes that were resident since the peak was forgotten.
  static func peakSince() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
  }

  /// The most mebibytes that were ever resident.
  static func peak() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return Double(usage.ru_maxrss) / 1024
  }
}

/// What a process of its own found about memory.
struct MemoryFigure: Codable {
  let bytes: Double
  let peak: Double
}

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

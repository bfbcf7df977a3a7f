import Foundation

/// The file that the index comes from, read in pieces.
final class InputFile {
  /// Where Debian keeps the index of the packages that are installed.
  static let installedPackages = "/var/lib/dpkg/status"

  /// The size in bytes; nil for a pipe.
  let size: Int?
  private let name: String
  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

  /// Opens a path, or standard input for `-`; without an argument whatever is piped in, or else
  /// the index of the installed packages.
  init(argument: String?) throws {
    let isPiped = argument == nil && Self.kind(of: STDIN_FILENO) != S_IFCHR
    if argument == "-" || isPiped {
      name = "standard input"
      descriptor = STDIN_FILENO
    } else {
      name = argument ?? Self.installedPackages
      descriptor = open(name, O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { throw ProgramError("Cannot open \(name): \(systemReason()).") }
    }
    let isFile = Self.kind(of: descriptor) == S_IFREG
    size = isFile ? Self.status(of: descriptor).map { Int($0.st_size) } : nil
  }

  deinit {
    buffer.deallocate()
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// The next bytes, valid until the next call; empty at the end.
  func next() throws -> UnsafeRawBufferPointer {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      if errno != EINTR { throw ProgramError("Cannot read \(name): \(systemReason()).") }
    }
  }

  private static func status(of descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// What the descriptor is open on: a file, a pipe, a terminal or another device.
  private static func kind(of descriptor: Int32) -> mode_t? {
    status(of: descriptor).map { $0.st_mode & S_IFMT }
  }
}

/// Why the program cannot do its work, in one line.
struct ProgramError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What the system says about its last failure.
private func systemReason() -> String { String(cString: strerror(errno)) }

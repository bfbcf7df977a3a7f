import FlyingSocks
import Foundation

/// Waits for sockets, but for none longer than half a minute: a connection on which nothing comes, or nothing
/// is taken, is let go.
struct PatientPool: AsyncSocketPool {
  let base: any AsyncSocketPool
  var patience = Duration.seconds(30)

  func prepare() async throws { try await base.prepare() }

  func run() async throws { try await base.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // The one that listens has no partner.
    guard (try? socket.remotePeer()) != nil else {
      return try await base.suspendSocket(socket, untilReadyFor: events)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await base.suspendSocket(socket, untilReadyFor: events) }
      group.addTask {
        try await Task.sleep(for: patience)
        throw SocketError.timeout(message: "Nothing came.")
      }
      try await group.next()
      group.cancelAll()
    }
  }
}

/// The descriptors that the program may have open.
enum OpenFiles {
  /// Allows as many as the system does: each connection takes one.
  static func allowMost() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

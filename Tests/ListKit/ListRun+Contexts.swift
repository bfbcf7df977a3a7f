import CSQLite
import Cauldron
import Foundation

extension ListRun {
  /// A child forgets everything, or goes away with its edits and lists.
  mutating func forget(_ op: Operation) throws {
    let number = 2 + op[2] % 3
    let context = contexts[number]
    if op[3] % 2 == 0 {
      context.performAndWait { $0.context.reset() }
      return
    }
    watchers.removeAll { $0.context === context }
    contexts[number] = Self.child(context.name, of: contexts[number < 4 ? 1 : 0])
  }

  func refresh(_ context: ManagedObjectContext, _ op: Operation) throws {
    try context.performAndWait { local in
      if op[2] % 3 == 0 { return local.context.refreshAllObjects() }
      for track in try Track.findAll(in: local.context).prefix(3) {
        local.context.refresh(track, mergeChanges: op[3] % 2 == 0)
      }
    }
  }

  /// Another connection writes; whoever fetches next finds out.
  func writeElsewhere(_ context: ManagedObjectContext, _ op: Operation) throws {
    var handle: OpaquePointer?
    guard sqlite3_open(stage.url.path, &handle) == SQLITE_OK else { return }
    defer { sqlite3_close(handle) }
    sqlite3_busy_timeout(handle, 5_000)
    let sql =
      switch op[2] % 4 {
      case 0: "UPDATE ZTRACK SET ZNUMBER = (ZNUMBER + 37) % 100, Z_OPT = Z_OPT + 1"
      case 1: "UPDATE ZTRACK SET ZTITLE = 'axe', Z_OPT = Z_OPT + 1 WHERE ZNUMBER < 20"
      case 2: "DELETE FROM ZTRACK WHERE ZNUMBER BETWEEN 40 AND 45"
      default: "UPDATE ZDISC SET ZNAME = 'one', Z_OPT = Z_OPT + 1"
      }
    sqlite3_exec(handle, sql, nil, nil, nil)
    _ = try context.performAndWait { try Track.findAll(in: $0.context).count }
  }

  /// A save that the rules refuse.
  func failToSave(_ context: ManagedObjectContext) throws {
    context.performAndWait { local in
      guard let track = try? Track.findAll(in: local.context).first else { return }
      track.number = 5_000
    }
    _ = try? context.saveAndWait(toPersistentStore: true)
    context.performAndWait { local in
      for track in (try? Track.findAll(where: \.number == 5_000, in: local.context)) ?? [] {
        track.number = 5
      }
    }
  }

  /// Another query for a list, another list, or one less.
  mutating func changeList(_ op: Operation) throws {
    let numbers = [op[2], op[2] / 11, op[3], op[3] / 7]
    if watchers.count > 6 || op[3] % 5 == 0, !watchers.isEmpty {
      watchers.remove(at: op[2] % watchers.count)
    }
    if op[3] % 2 == 0, !watchers.isEmpty {
      let watcher = watchers[op[2] % watchers.count]
      watcher.list.query = try ListQueries.query(numbers)
    } else {
      let context = contexts[op[1] % contexts.count]
      watchers.append(try watcher(numbers, op[3] / 3, context))
    }
  }

  func batch(_ context: ManagedObjectContext, _ op: Operation) throws {
    context.performAndWait { local in
      if op[2] % 2 == 0 {
        _ = try? Track.where(\.number < 30).batchUpdate(in: local.context) { track in
          track.rating.set(Double(op[3] % 7))
        }
      } else {
        _ = try? Track.where(\.number == op[3] % 100).batchDelete(in: local.context)
      }
    }
  }
}

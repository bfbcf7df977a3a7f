import Cauldron
import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation

/// Migrates a damaged store, and restores from it and over it.
struct StoreMoving {
  private let meeting: StoreMeeting

  init(_ meeting: StoreMeeting) { self.meeting = meeting }

  private var work: StoreFiles { meeting.work }
  private var folder: URL { work.url.deletingLastPathComponent() }

  /// Migrates it: whatever keeps that from being done leaves it as it was.
  func migrate(_ way: StoreMeeting.Way) throws -> MeetingVerdict {
    let before = work.state
    do {
      let discards = meeting.sample.species.discards
      let outside = OutsideMigration(work.url, to: meeting.next, discarding: discards)
      switch way {
      case .trial:
        _ = try outside.trial()
        return unchanged(before) ?? MeetingVerdict(.answered)
      case .migrateOutside: _ = try outside.run()
      default:
        try StoreAccess.open(work.url, meeting.next) {
          $0.migration = .automatic(discarding: discards)
        }.close()
      }
    } catch {
      let verdict = MeetingVerdict(error)
      return verdict.kind.isFinding ? verdict : unchanged(before) ?? verdict
    }
    if let finding = meeting.newFinding() { return MeetingVerdict(.lie, "migrated: \(finding)") }
    return afterMigration()
  }

  /// A store that was migrated opens with its new model.
  private func afterMigration() -> MeetingVerdict {
    do {
      let stack = try StoreAccess.open(work.url, meeting.next) { $0.readOnly = true }
      try stack.close()
      return MeetingVerdict(.answered)
    } catch {
      return MeetingVerdict(.lie, "after a migration: \(error)")
    }
  }

  /// A finding where the store has not the content that it had: a log may have been taken into the file,
  /// and a journal been rolled back.
  private func unchanged(_ before: StoreFiles.State) -> MeetingVerdict? {
    guard before.change(to: work.state) != nil else { return nil }
    return difference().map {
      MeetingVerdict(.changed, "\(before.change(to: work.state) ?? ""), \($0)")
    }
  }

  /// What the store has otherwise than the damaged one; nil where there is nothing.
  ///
  /// - Parameter opens: Whether the damaged one is opened for writing first, which makes triggers
  ///   that are missing and counts what they would have kept.
  func difference(leavingOut: Set<String> = [], opens: Bool = false) -> String? {
    let now = copy(of: work, "now")
    let then = copy(of: meeting.damaged, "then")
    if opens { try? StoreAccess.open(then.url, meeting.model).close() }
    defer {
      now.remove()
      then.remove()
    }
    let mine = DamageConnection.dump(now, leavingOut: leavingOut)
    let its = DamageConnection.dump(then, leavingOut: leavingOut)
    return mine == its ? nil : Self.difference(its, mine)
  }

  private func copy(of files: StoreFiles, _ name: String) -> StoreFiles {
    let copy = StoreFiles(folder.appending(path: "\(name).sqlite"))
    try? files.copy(to: copy)
    return copy
  }

  private static func difference(_ old: [String]?, _ new: [String]?) -> String {
    guard let old, let new else { return "readable \(old != nil), then \(new != nil)" }
    let (gone, come) = (Set(old).subtracting(new).min(), Set(new).subtracting(old).min())
    return "gone \(gone?.prefix(150) ?? "nothing"), come \(come?.prefix(150) ?? "nothing")"
  }

  /// Restores a good store from the damaged one as its copy.
  func restore() throws -> MeetingVerdict {
    let store = copy(of: meeting.good, "restored")
    defer { store.remove() }
    let (before, copyBefore) = (store.state, work.state)
    do {
      try StoreBackup(of: store.url, at: work.url).restore(replacesOther: true)
    } catch {
      let verdict = MeetingVerdict(error)
      if verdict.kind.isFinding { return verdict }
      if let change = before.change(to: store.state) {
        return MeetingVerdict(.changed, "the store: \(change); \(verdict.detail)")
      }
      return verdict
    }
    if let change = copyBefore.change(to: work.state, mayOpen: true) {
      return MeetingVerdict(.changed, "the copy: \(change)")
    }
    return compare(store, with: meeting.damaged)
  }

  /// Restores the damaged store from a good copy.
  func restoreOver() throws -> MeetingVerdict {
    let backup = copy(of: meeting.good, "good")
    defer { backup.remove() }
    let before = work.state
    do {
      try StoreBackup(of: work.url, at: backup.url).restore(replacesOther: true)
    } catch {
      let verdict = MeetingVerdict(error)
      return verdict.kind.isFinding ? verdict : unchanged(before) ?? verdict
    }
    let verdict = compare(work, with: meeting.good)
    guard !verdict.kind.isFinding else { return verdict }
    do {
      try StoreAccess.open(work.url, meeting.model).close()
      return verdict
    } catch {
      return MeetingVerdict(.lie, "after it was restored: \(error)")
    }
  }

  /// A finding where a restored store has not what its copy has, but for the mark in the metadata.
  func compare(_ store: StoreFiles, with source: StoreFiles) -> MeetingVerdict {
    let now = copy(of: store, "now")
    let then = copy(of: source, "then")
    defer {
      now.remove()
      then.remove()
    }
    let its = DamageConnection.dump(then, leavingOut: ["Z_METADATA", "sqlite_stat1"])
    let mine = DamageConnection.dump(now, leavingOut: ["Z_METADATA", "sqlite_stat1"])
    if its == nil || mine == its { return MeetingVerdict(.answered) }
    return MeetingVerdict(.lie, "restored: \(Self.difference(its, mine))")
  }

  /// Opens it so that a useless store is moved aside.
  func recreate() throws -> MeetingVerdict {
    let stack = try StoreAccess.open(work.url, meeting.next) { $0.migration = .backUpAndRecreate }
    try stack.close()
    return afterMigration()
  }
}

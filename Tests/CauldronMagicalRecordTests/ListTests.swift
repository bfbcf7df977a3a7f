import Cauldron
import CauldronMagicalRecord
import Foundation
import Testing

extension OldCalls {
  @Suite struct ListTests {
    @available(*, deprecated)
    @Test @MainActor func `lists are fetched, sorted and grouped`() throws {
      let old = NSPredicate(format: "age > %d", 0)
      let all = Sailor.mr_fetchAll(with: nil)
      #expect(all.snapshot.count == 3)
      let groups = Sailor.mr_fetchAllGrouped(
        by: "crew", with: old, sortedBy: "age", ascending: false)
      #expect(groups.sections.map(\.name) == ["blue", "red"])
      #expect(groups.object(at: ListPath(section: 1, item: 0)).name == "Cyd")
      let sorted = Sailor.mr_fetchAllSorted(
        by: "name:NO", ascending: true, with: old, groupBy: nil, delegate: nil)
      #expect(sorted.object(at: ListPath(section: 0, item: 0)).name == "Cyd")
      let other = Sailor.mr_fetchAllGrouped(
        by: "crew", with: nil, sortedBy: "age", ascending: true, delegate: nil, in: .default)
      #expect(other.sections.count == 2)
    }

    @available(*, deprecated)
    @Test @MainActor func `a list is made, and fetched later`() throws {
      let delegate = Delegate()
      let list = Sailor.mr_fetchController(
        Sailor.mr_requestAllSorted(by: "name", ascending: true), delegate: delegate,
        useFileCache: true, groupedBy: "crew", in: .default)
      #expect(list.delegate === delegate)
      #expect(list.snapshot.count == 0)
      #expect(Sailor.mr_performFetch(list) && list.snapshot.count == 3)
    }

    @available(*, deprecated)
    @Test @MainActor func `a list that cannot be fetched is empty, and an error`() throws {
      let errors = OldCalls.errors {
        let list = Sailor.mr_fetchAllGrouped(
          by: "nam", with: nil, sortedBy: nil, ascending: true)
        #expect(list.snapshot.count == 0)
        #expect(!Sailor.mr_performFetch(list))
      }
      #expect(errors.map(\.code) == [.queryUnknownKey, .queryUnknownKey])
    }
  }
}

@available(*, deprecated)
private final class Delegate: NSFetchedResultsControllerDelegate {
  typealias Object = Sailor
}

import Cauldron
import CauldronMagicalRecord
import Foundation
import Testing

extension OldCalls {
  @Suite struct SortingTests {
    @available(*, deprecated)
    @Test @MainActor func `a request is sorted by descriptors`() throws {
      var request = Sailor.mr_requestAll()
      request.sortDescriptors = [
        NSSortDescriptor(key: "crew", ascending: false),
        NSSortDescriptor(keyPath: \Sailor.age, ascending: true),
      ]
      #expect(request.sortKeys == [SortKey("crew", ascending: false), SortKey("age")])
      #expect(Sailor.mr_execute(request)?.names == "Ann Cyd Bob")
      #expect(request.sortDescriptors?.compactMap(\.key) == ["crew", "age"])
    }

    @available(*, deprecated)
    @Test @MainActor func `a key path that leads to no property is an error`() throws {
      var request = Sailor.mr_requestAll()
      let errors = OldCalls.errors {
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Ship.name, ascending: true)]
      }
      #expect(errors.map(\.code) == [.queryUnknownKey] && request.sortKeys.isEmpty)
    }

    @available(*, deprecated)
    @Test @MainActor func `objects are sorted in memory`() throws {
      Sailor.create().name = "Dan"
      let all = NSArray(array: try Sailor.findAll())
      func sorted(_ descriptors: NSSortDescriptor...) -> String? {
        (all.sortedArray(using: descriptors) as? [Sailor])?.names
      }
      let name = NSSortDescriptor(key: "name", ascending: true)
      #expect(sorted(NSSortDescriptor(key: "age", ascending: false)) == "Cyd Ann Bob Dan")
      #expect(sorted(NSSortDescriptor(key: "crew", ascending: true), name) == "Dan Bob Ann Cyd")
      let ship = NSSortDescriptor(key: "ship.name", ascending: false)
      #expect(sorted(ship, name) == "Ann Bob Cyd Dan")
      #expect(sorted(NSSortDescriptor(key: "nam", ascending: true), name) == "Ann Bob Cyd Dan")
    }

    @available(*, deprecated)
    @Test func `descriptors are made of lists of keys, turned round and compared`() throws {
      let up = Sailor.mr_ascendingSortDescriptors(["name", "age"])
      let down = Sailor.mr_descendingSortDescriptors(["name"])
      #expect(up.compactMap(\.key) == ["name", "age"])
      #expect(up.map(\.ascending) == [true, true] && down.map(\.ascending) == [false])
      #expect(up.first?.reversedSortDescriptor as? NSSortDescriptor == down.first)
      #expect(up.first != down.first && up.first?.copy() as? NSSortDescriptor == up.first)
      #expect(Sailor.mr_ascendingSortDescriptors(nil).isEmpty)
    }
  }
}

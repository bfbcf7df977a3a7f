import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import TestSupport
import Testing

/// The index over many layers answers as a walk over all of them does.
struct LayerChainTests {
  private let factory: RowFactory
  private let node = LedgerNode(parent: nil)

  init() throws { factory = RowFactory(try TestModels.people()) }

  @Test(arguments: [1, 2, 3, 4, 5])
  func `look-ups agree with a walk over the layers`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var current: [ManagedObjectID: RowPointer] = [:]
    var layers: [Layer] = []
    var held: [HeldRow] = []
    for number in 0..<200 {
      let set = changes(UInt64(number + 1), &current, &held, &random)
      layers.append(Layer(changes: set, origin: node))
    }
    let chain = LayerChain(layers: layers)
    #expect(chain.runs.count < 20 && chain.layers.count == layers.count)
    #expect(zip(chain.layers, layers).allSatisfy { $0 === $1 })
    for key in 0...Int64(60) {
      for entity in ["Company", "Person", "Employee"] {
        check(id(key, entity), chain, layers)
      }
      let referring = chain.runs.flatMap { $0.layers(referringTo: key, root: 1) }
      let expected = layers.filter { $0.targets.contains(key, root: 1) }
      #expect(referring.map(\.changes.id) == expected.map(\.changes.id))
    }
  }

  private func check(_ id: ManagedObjectID, _ chain: LayerChain, _ layers: [Layer]) {
    let all = layers.compactMap { $0.changes.change(id) }
    #expect(chain.newest(id)?.row == all.last?.row && (chain.newest(id) == nil) == all.isEmpty)
    #expect(chain.inserts(id) == all.contains { if case .inserted = $0 { true } else { false } })
    var builder = RowBuilder()
    let entity = factory.model.layouts[Int(id.entityNumber) - 1]
    #expect(chain.compose(nil, of: id, entity: entity, builder: &builder) == all.last?.row)
  }

  /// A few changes that follow one another; what is deleted may be inserted anew.
  private func changes(
    _ number: UInt64, _ current: inout [ManagedObjectID: RowPointer], _ held: inout [HeldRow],
    _ random: inout SeededGenerator
  ) -> ChangeSet {
    var inserted: [HeldRow] = []
    var updated: [RowUpdate] = []
    var deleted: [RowPointer] = []
    var touched: Set<ManagedObjectID> = []
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let entity = random.pick(["Company", "Person", "Employee"])
      let id = id(Int64.random(in: 1...50, using: &random), entity)
      guard touched.insert(id).inserted else { continue }
      if let row = current[id] {
        if random.once(in: 4) {
          deleted.append(row)
          current[id] = nil
        } else {
          let update = factory.update(row, ["name": .text("\(number)")])
          updated.append(update)
          current[id] = update.row
        }
      } else {
        let employer: AttributeScalar = .integer(Int64.random(in: 1...50, using: &random))
        let row = factory.row(entity, id.key, entity == "Company" ? [:] : ["employer": employer])
        inserted.append(row)
        current[id] = row.row
      }
    }
    held += inserted
    return ChangeSet(number, from: factory, inserted: inserted, updated: updated, deleted: deleted)
  }

  private func id(_ key: Int64, _ entity: String) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: factory.model.entity(entity).number, storeNumber: 1)
  }
}

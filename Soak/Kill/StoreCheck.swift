import Cauldron
import Foundation

/// What is wrong with a store after its writer was killed.
struct StoreCheck {
  /// Acknowledged saves that are not there.
  var lost = 0
  /// What is there in part.
  var torn: [String] = []
  /// What is wrong with the file.
  var corrupt: [String] = []
  /// The number of the last save in the store.
  private(set) var last = 0

  /// Nothing is wrong.
  static let clean = StoreCheck()

  private init() {}

  var isClean: Bool { lost == 0 && torn.isEmpty && corrupt.isEmpty }

  /// Looks at the file as any other program would, then at the objects.
  /// - Parameter acknowledged: The number of the last save that was reported.
  init(_ url: URL, acknowledged: Int) throws {
    try checkFile(try RawDatabase(url), acknowledged)
    try checkObjects(url)
  }

  private mutating func checkFile(_ database: RawDatabase, _ acknowledged: Int) throws {
    corrupt += try database.rows("PRAGMA integrity_check").filter { $0 != "ok" }
    corrupt += try database.rows("PRAGMA foreign_key_check")
    for (entity, table) in [("Batch", "ZBATCH"), ("Item", "ZITEM"), ("Counter", "ZCOUNTER")] {
      let keys = try database.number("SELECT ifnull(max(Z_PK), 0) FROM \(table)")
      let max = try database.number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
      if max < keys { corrupt.append("Z_MAX of \(entity) is \(max), but key \(keys) is used") }
    }
    last = try database.number("SELECT ifnull(max(ZNUMBER), 0) FROM ZBATCH")
    lost = max(0, acknowledged - last)
    if last > acknowledged + 1 {
      torn.append("save \(last) is there, although \(acknowledged) was the last that was reported")
    }
    try checkWholeness(database)
  }

  private mutating func checkWholeness(_ database: RawDatabase) throws {
    let batches = try database.number("SELECT count(*) FROM ZBATCH")
    let distinct = try database.number("SELECT count(DISTINCT ZNUMBER) FROM ZBATCH")
    // Numbers begin at 1, so that equal counts leave no gap.
    if batches != last || distinct != last {
      lost += max(0, last - distinct)
      torn.append("\(batches) headers with \(distinct) numbers, the last of them \(last)")
    }
    torn += try database.rows(
      """
      SELECT 'save ' || b.ZNUMBER || ' has ' || count(i.Z_PK) || ' of ' || b.ZSIZE || ' items'
      FROM ZBATCH b LEFT JOIN ZITEM i ON i.ZBATCH = b.Z_PK
      GROUP BY b.Z_PK HAVING count(DISTINCT i.ZPOSITION) != b.ZSIZE OR count(i.Z_PK) != b.ZSIZE
      """)
    torn += try database.rows(
      """
      SELECT 'item ' || Z_PK || ' leads nowhere' FROM ZITEM
      WHERE ZBATCH IS NULL OR ZBATCH NOT IN (SELECT Z_PK FROM ZBATCH)
      """)
    torn += try database.rows(
      """
      SELECT 'save ' || b.ZNUMBER || ' counts ' || b.ZITEMCOUNT || ', and begins with ' || ifnull(i.ZPOSITION, '-')
      FROM ZBATCH b LEFT JOIN ZITEM i ON i.Z_PK = b.ZFIRST AND i.ZBATCH = b.Z_PK
      WHERE b.ZITEMCOUNT != b.ZSIZE OR i.ZPOSITION IS NOT 0
      """)
    torn += try database.rows(
      "SELECT 'item ' || Z_PK || ' is not loud' FROM ZITEM WHERE ZLOUD IS NOT upper(ZPAYLOAD)")
    // Each link of neighbours is there from either item.
    let links = try database.number("SELECT count(*) FROM Z_3BESIDE")
    let pairs = try database.number("SELECT ifnull(sum(ZSIZE - 1), 0) FROM ZBATCH")
    if links != 2 * pairs { torn.append("\(links) links of \(pairs) pairs") }
    let items = try database.number("SELECT count(*) FROM ZITEM")
    let counters = try database.rows("SELECT ZSAVES, ZITEMS FROM ZCOUNTER")
    let expected = batches == 0 ? [] : ["\(batches)|\(items)"]
    if counters != expected { torn.append("counters \(counters), not \(expected)") }
  }

  /// The newest saves, walked from both sides.
  private mutating func checkObjects(_ url: URL) throws {
    let stack = try Stack(storeURL: url, model: KillModel.make())
    let first = last - 20
    let problems = try stack.rootSavingContext.performAndWait { context in
      var problems: [String] = []
      for batch in try Batch.findAll(where: \.number > first, in: context) {
        let items = Array(batch.items)
        let agree = items.allSatisfy { $0.batch === batch }
        if items.count != batch.size || !agree {
          problems.append("the sides of save \(batch.number) disagree")
        }
      }
      return problems
    }
    torn += problems
    try stack.close()
  }
}

import CauldronGraph
import CauldronModel

/// How the values of a line become what a program gets: a value for a single column, a tuple for several.
///
/// A pack of one would look like a value, and not be one to the compiler: `compactMap` and `??` would take
/// the optional in it for something that is never nil.
struct LineShape<Line: Sendable>: Sendable {
  /// What the values of a line make, one after the other.
  let read: @Sendable (inout LineReader) throws -> Line
  /// What columns make that are properties of rows.
  let fill: @Sendable (RowSet, [Int]) -> [Line]

  func line(_ scalars: [AttributeScalar]) throws -> Line {
    var reader = LineReader(scalars)
    return try read(&reader)
  }

  func lines(_ found: FetchedLines) throws -> [Line] {
    switch found {
    case .values(let lines): return try lines.map(line)
    case .rows(let rows, let indexes): return fill(rows, indexes)
    }
  }
}

extension LineShape where Line: AttributeValue {
  /// A single column.
  static func single() -> LineShape {
    LineShape {
      try $0.next(Line.self)
    } fill: { rows, indexes in
      // The empty array is one for the whole process, and its count would be written here.
      if rows.isEmpty { return [] }
      return Array(unsafeUninitializedCapacity: rows.count) { buffer, count in
        guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
        rows.fill(start, stride: MemoryLayout<Line>.stride, indexes[0], Line.self)
        count = rows.count
      }
    }
  }
}

extension LineShape {
  /// Several columns.
  static func tuple<each Column: AttributeValue>() -> LineShape
  where Line == (repeat each Column) {
    LineShape {
      (repeat try $0.next((each Column).self))
    } fill: {
      ColumnFiller<repeat each Column>.tuples(of: $0, at: $1)
    }
  }
}

/// Makes tuples a column at a time, for which each type has code of its own: to put them together one by one
/// would take several times as long.
private struct ColumnFiller<each Column: AttributeValue> {
  static func tuples(of rows: RowSet, at indexes: [Int]) -> [(repeat each Column)] {
    // The empty array is one for the whole process, and its count would be written here.
    if rows.isEmpty { return [] }
    let offsets = offsets
    return Array(unsafeUninitializedCapacity: rows.count) { buffer, count in
      guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      let stride = MemoryLayout<(repeat each Column)>.stride
      var column = 0
      for type in repeat (each Column).self {
        rows.fill(start + offsets[column], stride: stride, indexes[column], type)
        column += 1
      }
      count = rows.count
    }
  }

  /// Where the elements of the tuple lie: one behind the other, each at a multiple of its alignment
  /// (https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeLayout.rst).
  private static var offsets: [Int] {
    var offsets: [Int] = []
    var end = 0
    func add<Value>(_ type: Value.Type) {
      let alignment = MemoryLayout<Value>.alignment
      end = (end + alignment - 1) / alignment * alignment
      offsets.append(end)
      end += MemoryLayout<Value>.size
    }
    repeat add((each Column).self)
    return offsets
  }
}

/// Reads the values of a line one by one.
struct LineReader {
  private var scalars: ArraySlice<AttributeScalar>

  init(_ scalars: [AttributeScalar]) { self.scalars = scalars[...] }

  /// - Throws: `query.overflow` where integers have become a Double that is none of the type.
  mutating func next<Value: AttributeValue>(_ type: Value.Type) throws -> Value {
    let scalar = scalars.popFirst() ?? .null
    if case .real(let number) = scalar, Value.attributeType.storageClass == .integer,
      Int64(exactly: number) == nil
    {
      throw CauldronError.overflow(number)
    }
    return Value.shown(for: scalar)
  }
}

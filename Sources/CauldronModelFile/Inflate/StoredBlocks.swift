/// DEFLATE without compression, which every reader takes: a model is small, and written seldom.
enum StoredBlocks {
  private static let longest = 0xFFFF

  static func bytes(of input: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = input[...]
    repeat {
      let part = rest.prefix(longest)
      rest = rest.dropFirst(part.count)
      let count = UInt16(part.count)
      result.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      result += part
    } while !rest.isEmpty
    return result
  }
}

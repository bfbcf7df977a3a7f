import Cauldron
import Foundation

@Entity final class Track: ManagedObject {
  @Attribute(transformer: "NSSecureUnarchiveFromData") var tags: [String] = []
  @Attribute(transformer: "NSSecureUnarchiveFromData") var places: [String: Date]?
}

struct Color: Equatable { var red: UInt8, green: UInt8, blue: UInt8 }

struct ColorTransformer: AttributeTransformer {
  struct Short: Error {}

  func data(from value: Color) throws -> Data { Data([value.red, value.green, value.blue]) }

  func value(from data: Data) throws -> Color {
    guard data.count == 3 else { throw Short() }
    let bytes = [UInt8](data)
    return Color(red: bytes[0], green: bytes[1], blue: bytes[2])
  }
}

@Entity final class Swatch: ManagedObject {
  @Attribute(transformer: "ColorTransformer") var color: Color?
}

AttributeTransformers.register(ColorTransformer(), named: "ColorTransformer")

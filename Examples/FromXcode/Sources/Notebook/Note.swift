import Cauldron
import Foundation

/// The model's entity Note with hooks: its properties are those of the class that the plugin makes.
@Entity final class Note: _Note {
  override func awakeFromInsert() {
    createdAt = .now
  }

  override func willSave() {
    let count = Int32(text.split(whereSeparator: \.isWhitespace).count)
    // Setting a value in this hook calls it once more.
    if wordCount != count { wordCount = count }
  }
}

/// Folder is made as a whole; what needs no storage stands in an extension.
extension Folder {
  var summary: String { "\(name): \(noteCount) notes" }
}

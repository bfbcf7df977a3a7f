package import CauldronModel

extension CauldronError {
  /// One error for all one-to-one links that a save would leave half; nil for none.
  package static func half(_ links: [HalfPair]) -> CauldronError? {
    .dangling(links.map(half))
  }

  private static func half(_ link: HalfPair) -> CauldronError {
    CauldronError(
      .saveConflict,
      "Cannot save one end of a one-to-one relationship alone: \(link.from.name) of"
        + " \(link.from.entity.name) \(link.from.object) would lead to \(link.to.entity.name)"
        + " \(link.to.object), whose \(link.to.name) would not lead back.",
      hint: "Refresh both objects and link them again, or roll back."
    ).with {
      $0.entity = link.from.entity.name
      $0.property = link.from.name
      $0.objectIDs = [link.from.object, link.to.object]
    }
  }
}

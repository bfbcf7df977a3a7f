import Foundation

/// The order that texts have for people: by the letters of their language, and by number.
///
/// ```swift
/// try Track.findAll(sortedBy: { $0.title.ascending(.localizedStandard) }, in: context)
/// try City.findAll(sortedBy: { $0.name.descending(.localizedStandard(locale: "sv_SE")) }, in: context)
/// ```
/// "Item 2" comes before "Item 10", "a", "A" and "ä" stand together, and Swedish has å, ä and ö behind z:
/// the order of Finder and Files, made by ICU as Foundation has it. Texts that differ in nothing that people
/// see, such as the two encodings of "é", are equal, and stay in the order of their keys. A number of more
/// than 254 digits counts as several.
///
/// Every row's text is turned into a sort key, since the file has no index of that order.
public struct TextOrder: Sendable, Hashable {
  /// The identifier of the locale, such as `sv_SE`; nil for that of the environment.
  public let locale: String?

  /// By the language of the environment: the first of the variables `LC_ALL`, `LC_COLLATE` and `LANG` that
  /// is not empty, as the process found them.
  ///
  /// Where that is `C`, `POSIX`, or a language without a known order, the order is that of no language
  /// in particular. Foundation's `Locale.current` is not asked, since it is English everywhere on Linux.
  /// - Complexity: No index helps; about a microsecond for each row.
  public static let localizedStandard = TextOrder(locale: nil)

  /// By the language of a locale, on every machine.
  /// - Parameter locale: An identifier such as `sv_SE`, `sv-SE` or `de@collation=phonebook`; `root` for no
  ///   language in particular. A fetch throws `query.unsupported` for a language without a known order.
  /// - Complexity: No index helps; about a microsecond for each row.
  public static func localizedStandard(locale: String) -> TextOrder { TextOrder(locale: locale) }

  /// Makes sort keys; nil where the locale is none, or its order is not known.
  var collator: Collator? {
    guard let locale else { return Self.environment }
    return Collator(locale: locale)
  }

  private static let environment: Collator? = {
    let name = locale(of: ProcessInfo.processInfo.environment)
    return Collator(locale: name) ?? Collator(locale: Collator.root)
  }()

  /// The locale by which the variables of an environment order texts.
  package static func locale(of environment: [String: String]) -> String {
    let names = ["LC_ALL", "LC_COLLATE", "LANG"]
    let value = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    // Behind the language and the region stand an encoding and a variant, as in `ca_ES.UTF-8@valencia`.
    let name = String(value.prefix { $0 != "." && $0 != "@" })
    return ["", "C", "POSIX"].contains(name) ? Collator.root : name
  }
}

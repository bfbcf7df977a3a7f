public import CauldronModel

extension QueryValue where Value == String {
  /// Holds where the text begins with another one.
  public func beginsWith(_ text: String, _ options: TextOptions = []) -> Where<Root> {
    search(.beginsWith, text, options)
  }

  /// Holds where the text contains another one.
  public func contains(_ text: String, _ options: TextOptions = []) -> Where<Root> {
    search(.contains, text, options)
  }

  /// Holds where the text ends with another one.
  public func endsWith(_ text: String, _ options: TextOptions = []) -> Where<Root> {
    search(.endsWith, text, options)
  }

  /// Holds where the whole text is like a pattern, in which `*` stands for any characters and `?`
  /// for one.
  public func isLike(_ pattern: String, _ options: TextOptions = []) -> Where<Root> {
    search(.like, pattern, options)
  }

  /// Holds where the whole text matches a regular expression; the time is bounded by the lengths of
  /// both.
  public func matches(_ pattern: String, _ options: TextOptions = []) -> Where<Root> {
    search(.matches, pattern, options)
  }

  /// Holds where the text is equal to another one but for case, or diacritics, or both.
  public func isEqual(to text: String, _ options: TextOptions) -> Where<Root> {
    Where(.comparison(expression, .equal, .value(.text(text)), options))
  }

  /// Holds where the text is one of several but for case, or diacritics, or both.
  public func isIn(_ texts: some Sequence<String>, _ options: TextOptions) -> Where<Root> {
    Where(.isIn(expression, texts.map { .text($0) }, options))
  }

  /// The text in small letters, by the root locale's rules.
  public var lowercased: QueryValue<Root, String> { QueryValue(.function(.lowercase, expression)) }

  /// The text in large letters, by the root locale's rules.
  public var uppercased: QueryValue<Root, String> { QueryValue(.function(.uppercase, expression)) }

  /// How many UTF-16 units the text has, as the rule `.length` counts them.
  public var length: QueryValue<Root, Int> { QueryValue<Root, Int>(.function(.length, expression)) }

  private func search(
    _ search: PredicateNode.TextOperator, _ text: String, _ options: TextOptions
  ) -> Where<Root> {
    Where(.text(expression, search, .value(.text(text)), options))
  }
}

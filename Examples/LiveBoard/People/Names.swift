/// What people and places are called.
enum Names {
  static let given = words(
    """
    Ada Adele Åsa Amir Anouk Bela Bettina Björn Carla Cem Chloë Clara Dario Dilan Dora Edda Eliška \
    Émile Enzo Farah Felix Finn Frida Gabor Gesa Greta Hana Hedda Hugo Ida Ilse Imre Ivo Jana Jill \
    Joris Juno Kaja Karim Kiran Lara Leif Linnea Lotte Malte Mara Milan Mira Nadia Nele Nora Noël \
    Olga Omar Ove Pál Petra Pia Quentin Quinn Ragna Rasmus Rosa Runa Sana Signe Sören Stella Tove \
    Tilda Timur Uma Ulf Ursula Vera Vito Viggo Wanda Wim Willa Xaver Ximena Yara Ylva Yusuf Zoë \
    Zita Zeno
    """)

  static let family = words(
    """
    Abel Acker Adler Ahrens Alm Bach Bauer Berg Bloom Borg Brandt Busch Çelik Conrad Dahl Daum \
    Dietz Eklund Engel Ernst Falk Ferrari Fink Forst Frank García Gold Grimm Haas Hahn Hansen Holm \
    Horváth Ilic Jansen Jensen Jung Kaiser Keller Klein Koch König Kraus Lang Larsen Lind Lopez \
    Lund Maier Marek Moreau Moser Nagel Novák Nyman Olsen Otto Pauli Peters Popov Quist Rademann \
    Reyes Ritter Rossi Roth Sand Schulz Seidel Silva Sommer Stein Sundström Tamm Thorn Urban Vogel \
    Voss Wagner Weber Winter Wolf Young Zander Ziegler Zorn
    """)

  static let initials = "ABCDEFGHIJKLMNOPRSTUVWZ".map { "\($0)" }

  static let cities = words(
    """
    Aarhus Antwerp Basel Bergen Bologna Bremen Brno Cádiz Cork Delft Dresden Gdańsk Ghent Graz \
    Kraków Leeds Leipzig Lille Linz Lyon Malmö Nantes Oslo Porto Riga Tartu Turku Utrecht Vilnius \
    Zürich
    """)

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }
}

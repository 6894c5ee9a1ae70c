/// An object in a list as the first key of a path: `contexts_com_acme_thing_1[2]`; without a number
/// it is the first.
struct ListItem: Hashable {
  let list: String
  let number: Int

  init(_ key: String) {
    if key.hasSuffix("]"), let open = key.lastIndex(of: "["),
      let number = Int(key[key.index(after: open)...].dropLast()), number >= 0
    {
      (list, self.number) = (String(key[..<open]), number)
    } else {
      (list, number) = (key, 0)
    }
  }
}

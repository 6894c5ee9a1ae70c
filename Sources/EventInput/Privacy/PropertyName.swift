/// What a property's name says about its values.
package struct PropertyName: Sendable {
  /// Which kind its values are likely to be.
  package enum Hint: Sendable, Hashable {
    case personName, userName, phoneNumber, street, postalCode, dateOfBirth, position, ipAddress
    case paymentCard, secret
  }

  package let hint: Hint?
  /// Whether people type such values.
  let isTyped: Bool
  /// Whether values of this name are texts of the app's own makers, or of machines.
  let isOfApp: Bool
  /// Whether it is just `name`, of somebody or of something.
  let isName: Bool

  /// - Parameter path: dotted, from the event's root.
  package init(_ path: String) {
    let parts = path.split(separator: ".").map { Self.words(of: $0) }
    let words = parts.last { !$0.isEmpty && $0 != ["*"] } ?? []
    let parent = parts.dropLast().last ?? []
    let joined = words.joined()
    let last = words.last ?? ""
    hint = Self.hint(words, joined, last, parent)
    isTyped = Self.typed.contains(last) || Self.typed.contains(joined)
    isOfApp =
      !Self.ofApp.isDisjoint(with: words) || Self.ofApp.contains(joined)
      || (last == "name" && !Self.ofApp.isDisjoint(with: parent))
    isName = joined == "name"
  }

  private static func hint(
    _ words: [String], _ joined: String, _ last: String, _ parent: [String]
  ) -> Hint? {
    // The last word, the last two and the last three, as one: `contact_first_name` counts too.
    let endings = Set((1...3).map { words.suffix($0).joined() })
    if !secrets.isDisjoint(with: endings.union(words)) { return .secret }
    if !names.isDisjoint(with: endings) { return .personName }
    if last == "name" || last == "names", words.count == 1, !people.isDisjoint(with: parent) {
      return .personName
    }
    if endings.contains("username") { return .userName }
    if !phones.isDisjoint(with: endings) { return .phoneNumber }
    if words.contains("ip") || joined == "remoteaddr" { return .ipAddress }
    if !births.isDisjoint(with: endings) { return .dateOfBirth }
    if !postalCodes.isDisjoint(with: endings) { return .postalCode }
    let isStreet = !streets.isDisjoint(with: words) || joined.contains("addressline")
    if isStreet && otherAddresses.isDisjoint(with: words) { return .street }
    if positions.contains(last) || joined == "latlng" || joined == "latlong" { return .position }
    if !cards.isDisjoint(with: words) || joined == "pan" { return .paymentCard }
    return nil
  }

  private static let secrets: Set<String> = [
    "password", "passwd", "passphrase", "secret", "apikey", "accesstoken", "refreshtoken",
    "authtoken", "idtoken", "authorization", "jwt", "cookie", "otp", "credential", "credentials",
  ]
  private static let names: Set<String> = [
    "firstname", "lastname", "fullname", "middlename", "givenname", "familyname", "surname",
    "forename", "nickname", "displayname", "realname", "legalname", "maidenname", "personname",
    "contactname", "customername", "recipientname", "sendername", "ownername", "friendname",
    "inviteename", "invitername", "guestname", "patientname", "childname", "partnername",
    "cardholder", "cardholdername", "membername", "fname", "lname", "vorname", "nachname",
    "prenom", "apellido", "apellidos",
  ]
  private static let people: Set<String> = [
    "user", "users", "person", "people", "customer", "contact", "contacts", "profile", "traits",
    "member", "members", "author", "recipient", "sender", "friend", "friends", "child", "children",
    "parent", "partner", "patient", "owner", "guest", "guests", "invitee", "invitees", "attendee",
    "attendees", "employee", "student", "driver", "passenger", "follower", "followers",
  ]
  private static let phones: Set<String> = [
    "phone", "phonenumber", "phones", "mobile", "mobilenumber", "mobilephone", "telephone", "tel",
    "cell", "cellphone", "cellnumber", "fax", "msisdn", "whatsapp", "telefon", "handy", "telefono",
  ]
  private static let births: Set<String> = [
    "birthday", "birthdate", "dateofbirth", "dob", "birth", "bornon", "geburtsdatum",
  ]
  private static let postalCodes: Set<String> = [
    "zip", "zipcode", "postcode", "postalcode", "plz", "postal",
  ]
  private static let streets: Set<String> = ["address", "street", "addr", "strasse", "adresse"]
  private static let otherAddresses: Set<String> = [
    "ip", "email", "mail", "mac", "wallet", "url", "web", "remote", "memory", "device", "type",
    "status", "id", "count", "city", "country",
  ]
  private static let positions: Set<String> = [
    "lat", "latitude", "lon", "lng", "long", "longitude", "geolocation", "coordinates", "coords",
    "gps",
  ]
  private static let cards: Set<String> = ["card", "cardnumber", "creditcard", "ccnumber", "pan"]
  private static let typed: Set<String> = [
    "note", "notes", "comment", "comments", "message", "text", "description", "feedback",
    "question", "answer", "bio", "about", "query", "search", "term", "content", "body", "caption",
    "subject", "title", "name", "names", "label", "memo", "prompt", "input", "keyword", "story",
    "summary", "review", "wish", "greeting", "quote", "reply", "transcript", "task", "todo",
    "searchquery", "searchterm", "tag", "tags",
  ]
  private static let ofApp: Set<String> = [
    "product", "sku", "catalog", "campaign", "screen", "page", "button", "locale", "language",
    "timezone", "useragent", "agent", "ua", "model", "brand", "manufacturer", "os", "browser",
    "error", "exception", "stacktrace", "trace", "version", "build", "font", "color", "colour",
    "country", "city", "region", "state", "currency", "carrier", "event", "experiment", "variant",
    "feature", "flag", "library", "lib", "sdk", "referrer", "element", "class", "selector",
    "path", "route", "app", "system", "plan", "category", "section", "channel", "utm",
  ]

  /// `firstName`, `first_name` and `$first-name` are the words `first` and `name`.
  static func words(of name: some StringProtocol) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for scalar in name.unicodeScalars {
      let properties = scalar.properties
      if !properties.isAlphabetic {
        if !word.isEmpty { words.append(word) }
        word = ""
        wasLower = false
        continue
      }
      if properties.isUppercase && wasLower {
        words.append(word)
        word = ""
      }
      wasLower = properties.isLowercase
      word += properties.lowercaseMapping
    }
    return word.isEmpty ? words : words + [word]
  }
}

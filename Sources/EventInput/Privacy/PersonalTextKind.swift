/// What a property's values look like, where that is something about a person.
public enum PersonalTextKind: String, Sendable, Hashable, Codable, CaseIterable {
  case emailAddress = "email_address"
  case phoneNumber = "phone_number"
  case personName = "person_name"
  case postalAddress = "postal_address"
  case dateOfBirth = "date_of_birth"
  case position
  case ipAddress = "ip_address"
  case paymentCard = "payment_card"
  case accessToken = "access_token"
  case webAddress = "web_address"
  case freeText = "free_text"

  /// In words, as in "looks like …".
  public var words: String {
    switch self {
    case .emailAddress: "an e-mail address"
    case .phoneNumber: "a phone number"
    case .personName: "a person's name"
    case .postalAddress: "a postal address"
    case .dateOfBirth: "a date of birth"
    case .position: "a precise position"
    case .ipAddress: "an IP address"
    case .paymentCard: "a payment card number"
    case .accessToken: "a password or access token"
    case .webAddress: "a web address with an e-mail address or an access token"
    case .freeText: "text that people typed"
    }
  }
}

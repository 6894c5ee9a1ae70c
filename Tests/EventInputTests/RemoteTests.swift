import Testing

@testable import EventInput

/// The parts of inputs over the network that need none.
@Suite struct RemoteTests {
  /// The example of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  private static let credentials = Credentials(
    accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    sessionToken: nil, expirySeconds: nil, origin: "")

  @Test(arguments: [
    (
      "/test.txt", "", [("range", "bytes=0-9")],
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    ),
    (
      "/", "lifecycle=", [],
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
    ),
    (
      "/", "max-keys=2&prefix=J", [],
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    ),
  ])
  func `signatures are those of the specification`(
    path: String, query: String, more: [(String, String)], signature: String
  ) {
    let request = RequestSignature(
      host: "examplebucket.s3.amazonaws.com", path: path, query: query, region: "us-east-1",
      moment: "20130524T000000Z")
    let headers = request.headers(Self.credentials, more: more)
    #expect(headers.last?.hasSuffix("Signature=\(signature)") == true, "\(headers)")
  }

  @Test func `trusted are the certificates that a system has, in the order of systems`() {
    let alpine = "/etc/ssl/cert.pem"
    let redHat = "/etc/pki/tls/certs/ca-bundle.crt"
    #expect(TrustedCertificates.ofSystem { $0 == alpine }.file == alpine)
    #expect(TrustedCertificates.ofSystem { [alpine, redHat].contains($0) }.file == redHat)
    #expect(!TrustedCertificates.ofSystem { _ in false }.isNamed)
  }

  @Test func `a listing is read with entities, encodings and a next page`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <s3:ListBucketResult xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/">
        <!-- <Contents><Key>no</Key></Contents> --><EncodingType>url</EncodingType>
        <Prefix/><IsTruncated>true</IsTruncated>
        <NextContinuationToken>a&amp;b&#x3D;&#61;</NextContinuationToken>
        <Contents><Key>a+b%2Bc%F0%9F%99%82&lt;</Key><Size>12</Size><ETag>&quot;x&quot;</ETag>
          <Owner><ID>Key</ID></Owner></Contents>
        <Contents><Key><![CDATA[<d>]]></Key></Contents>
      </s3:ListBucketResult>
      """
    let page = try #require(BucketPage(Array(text.utf8)))
    #expect(
      page.entries == [
        BucketPage.Entry(key: "a b+c🙂<", byteCount: 12, entityTag: "\"x\""),
        BucketPage.Entry(key: "<d>", byteCount: nil, entityTag: nil),
      ])
    #expect(page.continuation == "a&b==")
    // Cut anywhere, it is no listing, and never one of fewer objects.
    let bytes = Array(text.utf8)
    for count in 0..<(bytes.count - 1) { #expect(BucketPage(Array(bytes[..<count])) == nil) }
  }

  @Test(arguments: ["", "<", "<a", "<a></b>", "&", "<!--", "<a>&#xD800;&#;&nothing;</a>", "</a>"])
  func `what is no XML is no listing`(text: String) {
    #expect(BucketPage(Array(text.utf8)) == nil)
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(BucketPage(Array(deep.utf8)) == nil)
  }

  @Test(arguments: [
    ("https://u:pw123456@h.com:8443/a/b.gz?X-Sig=abcdef1#f", "https://h.com:8443/a/b.gz"),
    ("HTTPS://H.com", "https://H.com"), ("https://h/a b?x", "https://h/a b"),
    ("http://u@x:secret@h/p", "http://h/p"), ("https://h?q=secret", "https://h"),
    ("s3://bucket/a@b", "s3://bucket/a@b"), ("s3://KEY:SECRET@bucket/a", "s3://…@bucket/a"),
    ("abfss://container@host/x?sig=1", "abfss://…"), ("folder/a://b", "folder/a://b"),
  ])
  func `what is shown of an address holds no secret`(argument: String, shown: String) {
    #expect(RemoteAddress.shown(argument) == shown)
  }

  @Test(arguments: [
    ("http://localhost/x", true), ("http://127.0.0.1:80/x", true), ("http://[::1]:80/x", true),
    ("http://127.0.0.1.example.com/x", false), ("http://localhost.example.com/x", false),
    ("http://localhost@example.com/x", false), ("http://10.0.0.1/x", false),
    ("https://10.0.0.1/x", true), ("https://", false), ("s3://b", true), ("s3://b/k", true),
    ("s3:///k", false), ("s3://b c/k", false), ("s3://b@c/k", false), ("gs://b/k", false),
  ])
  func `only addresses that are safe to ask are read`(argument: String, isRead: Bool) {
    #expect(((try? RemoteAddress(argument)) != nil) == isRead)
  }

  @Test func `stores of AWS are asked at the bucket's host, others by path`() throws {
    func url(_ bucket: String, _ endpoint: String? = nil, _ region: String = "eu-west-1") throws
      -> String
    {
      try RemoteAccess(
        environment: ["AWS_REGION": region, "HOME": "/nowhere"], endpointURL: endpoint
      ).url(bucket: bucket, key: "a b/ü+=%.gz")
    }
    let key = "a%20b/%C3%BC%2B%3D%25.gz"
    #expect(try url("b") == "https://b.s3.eu-west-1.amazonaws.com/\(key)")
    #expect(try url("b.c") == "https://s3.eu-west-1.amazonaws.com/b.c/\(key)")
    #expect(
      try url("b", nil, "cn-north-1") == "https://b.s3.cn-north-1.amazonaws.com.cn/\(key)")
    #expect(try url("b", "http://minio:9000/") == "http://minio:9000/b/\(key)")
  }

  @Test func `waits grow, have a bound and end`() {
    var plan = RetryPlan(attempts: 10)
    let waits = (0..<10).map { _ in plan.waitAfterFailure() }
    #expect(waits == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, nil])
    plan.noteProgress()
    #expect(plan.waitAfterFailure(asked: 3) == 3)
    #expect(plan.waitAfterFailure(asked: 3000) == 30)
  }

  @Test func `a profile's lines are read as AWS's tools read them`() {
    let file = ProfileFile(
      "a=0\n[default] # x\n A = 9\n# a = 1\na = b = c \r\n[ profile x ]\nregion=eu\n[default]\nd=1")
    #expect(file.section("default") == ["a": "b = c", "d": "1"])
    #expect(file.section("profile x") == ["region": "eu"] && file.section("none") == nil)
  }
}

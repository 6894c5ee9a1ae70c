internal import CFirstMileOpenSSL
internal import CFirstMileXxhash

/// A digest of bytes as they come.
///
/// Owns the state that a C library computes it in; used by one thread at a time.
@safe final class RunningDigest {
  let kind: SourceDigest.Kind
  private let state: OpaquePointer?

  init(_ kind: SourceDigest.Kind) {
    self.kind = kind
    switch kind {
    case .sha256:
      unsafe state = EVP_MD_CTX_new()
      _ = unsafe EVP_DigestInit_ex(state, EVP_sha256(), nil)
    case .xxh3:
      unsafe state = XXH3_createState()
      _ = unsafe XXH3_128bits_reset(state)
    }
  }

  deinit {
    switch kind {
    case .sha256: unsafe EVP_MD_CTX_free(state)
    case .xxh3: _ = unsafe XXH3_freeState(state)
    }
  }

  func add(_ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case .sha256: _ = unsafe EVP_DigestUpdate(state, bytes.baseAddress, bytes.count)
    case .xxh3: _ = unsafe XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
    }
  }

  /// The digest of all bytes. Nothing can be added after that.
  func finish() -> SourceDigest {
    switch kind {
    case .sha256:
      var value = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var count: UInt32 = 0
      _ = unsafe EVP_DigestFinal_ex(state, &value, &count)
      return SourceDigest(kind, bytes: value.prefix(Int(count)))
    case .xxh3:
      var canonical = XXH128_canonical_t()
      unsafe XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state))
      return unsafe withUnsafeBytes(of: canonical) { unsafe SourceDigest(kind, bytes: $0) }
    }
  }
}

// The system library as Swift sees it; no code of our own.
#include <openssl/evp.h>
#include <openssl/hmac.h>

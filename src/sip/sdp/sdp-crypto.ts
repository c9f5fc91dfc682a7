// SRTP keys in SDP (RFC 4568, "SDES"): reads and formats a=crypto lines.

export type CryptoSuite = 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32'
export type SrtpKeys = { suite: CryptoSuite; key: Uint8Array }
export type TaggedKeys = SrtpKeys & { tag: number }

/** Master key (16) and salt (14). */
export const KEY_BYTES = 30

/** The long authentication tag first: the one of 4 bytes is for old phones. */
export const suites: readonly CryptoSuite[] = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32']

/** Null if the line requires something unsupported; it must not be accepted then (section 5.1.2). */
export function readCrypto(value: string): TaggedKeys | null {
  const [tag = '', name = '', keys = '', ...parameters] = value.trim().split(/ +/)
  const suite = suites.find((known) => known === name.toUpperCase())
  if (!/^\d{1,9}$/.test(tag) || !suite || !parameters.every(isHarmless)) return null
  // One key without an MKI ("|1:4"), which would be in every packet. A lifetime ("|2^31") outlasts any call.
  const key = keys.match(/^inline:([A-Za-z0-9+/]{40})(?:\|(?:2\^)?\d+)?$/i)?.[1]
  return key ? { tag: Number(tag), suite, key: new Uint8Array(Buffer.from(key, 'base64')) } : null
}

/** Section 6.3: window hints and parameters marked as optional have no effect; all others change the packets. */
const isHarmless = (parameter: string): boolean => /^(?:-|WSH=|KDR=0$)/i.test(parameter)

export const cryptoLine = ({ tag, suite, key }: TaggedKeys) => ({
  id: tag,
  suite,
  config: `inline:${Buffer.from(key).toString('base64')}`,
})

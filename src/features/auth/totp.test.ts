// TOTP: the vectors of RFC 6238 and RFC 4648, clock drift, and single use.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import { base32, codeAt, otpauthUrl, stepAt, stepOf } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test('the codes match the vectors of RFC 6238 (appendix B, SHA-1)', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of vectors) {
    assert.equal(codeAt(secret, stepAt(seconds * 1000), 8), code)
    assert.equal(codeAt(secret, stepAt(seconds * 1000)), code.slice(2))
  }
})

test('base32 matches the vectors of RFC 4648 (section 10), without padding', () => {
  const vectors = { f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' }
  for (const [text, written] of Object.entries(vectors)) assert.equal(base32(Buffer.from(text)), written)
  assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})

test('a code is valid in its step and one to either side, and only after the last one accepted', () => {
  const nowMs = 1_800_000_000_000
  const now = stepAt(nowMs)
  const given = (step: number, lastStep = 0) => stepOf(secret, codeAt(secret, step), nowMs, lastStep)
  assert.deepEqual(
    [-2, -1, 0, 1, 2].map((by) => given(now + by)),
    [undefined, now - 1, now, now + 1, undefined],
  )
  assert.equal(given(now, now - 1), now)
  assert.equal(given(now, now), undefined)
  assert.equal(given(now - 1, now), undefined)
  for (const wrong of ['', '12345', '1234567', 'abcdef', `${codeAt(secret, now)} `, '１２３４５６'])
    assert.equal(stepOf(secret, wrong, nowMs, 0), undefined)
})

test('the otpauth URI names the account, in the form that apps read', () => {
  const url = new URL(otpauthUrl(secret, 'ana+x@example.com'))
  assert.equal(url.protocol + url.host, 'otpauth:totp')
  assert.equal(decodeURIComponent(url.pathname), '/Ramal:ana+x@example.com')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    secret: base32(secret),
    issuer: 'Ramal',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('ten recovery codes are all different, and each is accepted in any spelling', () => {
  const codes = newRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[2-9A-Z]{5}-[2-9A-Z]{5}$/)
  const [code = ''] = codes
  assert.equal(recoveryHash(secret, code.toLowerCase().replace('-', ' ')), recoveryHash(secret, code))
  assert.notEqual(recoveryHash(Buffer.from('another'), code), recoveryHash(secret, code))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenSigner } from './tokens.ts'

const [older, newer] = ['an-old-master-key-of-32-characters!!', 'the-new-master-key-of-32-characters!']

test('130 a token names its subject until it expires', () => {
  const signer = tokenSigner([newer], 'tts')
  assert.equal(signer.subjectOf(signer.issue('key_1', 60_000).token), 'key_1')
  assert.equal(signer.subjectOf(signer.issue('key_1', -1).token), undefined)
})

test('130 a token for another purpose, under another key or altered is invalid', () => {
  const signer = tokenSigner([newer], 'tts')
  const { token } = signer.issue('key_1', 60_000)
  assert.equal(tokenSigner([newer], 'other').subjectOf(token), undefined)
  assert.equal(tokenSigner([older], 'tts').subjectOf(token), undefined)
  for (const wrong of ['', 'rtk_', 'rtk_x.y', `${token}x`, token.replace('rtk_', 'rtk_x'), token.slice(0, -1)])
    assert.equal(signer.subjectOf(wrong), undefined, wrong)
})

test('130 a token signed before a rotation stays valid while the old key is in the ring', () => {
  const { token } = tokenSigner([older], 'tts').issue('key_1', 60_000)
  assert.equal(tokenSigner([newer, older], 'tts').subjectOf(token), 'key_1')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recentDurations } from './recent-durations.ts'
import { errorText, MAX_RESULT, maskedVariables, resultText, secretMask } from './results.ts'

const none = (text: string) => text

test('a result is limited in length and has no control characters', () => {
  assert.equal(resultText('a\u0000b\u001b[31mc\u2028d\n\te\ud800', none), 'ab[31mcd\n\te\ufffd')
  const long = resultText('x'.repeat(100_000), none)
  assert.ok(long.length < MAX_RESULT + 100)
  assert.match(long, /cut off/)
  assert.equal(errorText('y'.repeat(5000), none).length, 1000)
})

test("the tool's secrets are masked in every encoding a server may echo", () => {
  const mask = secretMask({
    headers: { Accept: 'text/plain', 'X-Api-Key': 'planted/"one"', Authorization: 'Bearer planted-two' },
    authorization: { type: 'basic', username: 'ana-maria', password: 'planted-three', deep: { token: 'planted-four' } },
  })
  const shown = [
    'planted/"one"',
    JSON.stringify({ key: 'planted/"one"' }),
    encodeURIComponent('planted/"one"'),
    'Bearer planted-two, planted-two',
    Buffer.from('ana-maria:planted-three').toString('base64'),
    Buffer.from('planted-four').toString('base64'),
    'planted-four',
  ].map(mask)
  for (const text of shown) {
    assert.doesNotMatch(text, /planted|cGxhbnRl|YW5hLW1hcmlh/)
    assert.match(text, /\*{8}/)
  }
  assert.equal(mask('ana-maria likes text/plain'), 'ana-maria likes text/plain', 'names are no secrets')
})

test('variables are stored as strings, up to a limit', () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`n${i}`, 'x'.repeat(9000)]))
  const kept = maskedVariables(many, none) ?? {}
  assert.equal(Object.keys(kept).length, 50)
  assert.equal(kept.n0?.length, 5000)
  assert.equal(maskedVariables({}, none), null)
})

test('the usual duration of a tool is the median of its last runs', () => {
  const times = recentDurations()
  assert.equal(times.usualMs('a'), null)
  for (const ms of [100, 5000, 120]) times.add('a', ms)
  assert.equal(times.usualMs('a'), 120)
  for (let i = 0; i < 20; i++) times.add('a', 700)
  assert.equal(times.usualMs('a'), 700)
  assert.equal(times.usualMs('b'), null)
})

test('a short secret is masked only as a whole word', () => {
  const mask = secretMask({
    headers: { 'X-Pin': 'k3y', 'X-Version': '2' },
    authorization: { type: 'bearer', token: 'abc' },
  })
  assert.equal(
    mask('{"token":"abc","pin":"k3y"} ?key=abc&x=1 Bearer abc'),
    `{"token":"${M}","pin":"${M}"} ?key=${M}&x=1 Bearer ${M}`,
  )
  assert.equal(mask('fabcd has 2 orders of abcd, k3ys'), 'fabcd has 2 orders of abcd, k3ys')
})
const M = '********'

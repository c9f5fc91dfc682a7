// TURN credentials for one call: computed as coturn does, and only for TURN servers without static ones.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { withTurnCredentials } from './turn-credentials.ts'

const servers = [
  { urls: 'stun:stun.example.com' },
  { urls: ['turn:turn.example.com:3478', 'turns:turn.example.com'] },
  { urls: 'turn:other.example.com', username: 'u', credential: 'p' },
]

test('a TURN server without credentials gets ones that expire with the call', () => {
  const [stun, turn, other] = withTurnCredentials(servers, 'secret', 1_700_000_000_500, 'cal_1')
  assert.deepEqual([stun, other], [servers[0], servers[2]])
  const username = '1700000001:cal_1'
  const credential = createHmac('sha1', 'secret').update(username).digest('base64')
  assert.deepEqual(turn, { ...servers[1], username, credential })
  assert.equal(credential.length, 28)
})

test('without a shared secret the servers are unchanged', () => {
  assert.deepEqual(withTurnCredentials(servers, null, 0, 'cal_1'), servers)
})

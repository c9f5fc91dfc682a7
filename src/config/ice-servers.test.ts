// ICE_SERVERS: a list as browsers take it, or a start that says what is wrong, without repeating a secret.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './load.ts'

const read = (given: string) => readConfig({ ICE_SERVERS: given }).iceServers

test('servers for STUN and TURN are read as browsers take them', () => {
  assert.deepEqual(readConfig({}).iceServers, [])
  const servers = [
    { urls: 'stun:stun.example.com' },
    { urls: ['turn:turn.example.com:3478?transport=udp', 'turns:turn.example.com'], username: 'u', credential: 'p' },
  ]
  assert.deepEqual(read(JSON.stringify(servers)), servers)
})

test('what is no such list is told, but not what stands in it', () => {
  const wrong = [
    '{',
    '{}',
    '["turn:a"]',
    '[null]',
    '[{}]',
    '[{"urls":[]}]',
    '[{"urls":"https://a"}]',
    '[{"urls":"turn:a","credential":7}]',
    '[{"urls":"turn:a","password":"s3cret"}]',
  ]
  for (const given of wrong)
    assert.throws(
      () => read(given),
      (error) => error instanceof ConfigError && /ICE_SERVERS/.test(error.message) && !/s3cret/.test(error.message),
      given,
    )
})

test('TURN_SECRET needs a TURN server without a password, and is not repeated', () => {
  const turn = (server: object) => readConfig({ ICE_SERVERS: JSON.stringify([server]), TURN_SECRET: 's3cret' })
  assert.equal(turn({ urls: ['stun:a', 'turn:a'] }).turnSecret, 's3cret')
  assert.equal(readConfig({}).turnSecret, null)
  for (const server of [{ urls: 'stun:a' }, { urls: 'turn:a', username: 'u', credential: 'p' }])
    assert.throws(
      () => turn(server),
      (error) => error instanceof ConfigError && /TURN_SECRET/.test(error.message) && !/s3cret/.test(error.message),
    )
})

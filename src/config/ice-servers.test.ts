// ICE_SERVERS: a list in the browsers' format, or a ConfigError that reveals no secret.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from './env-reader.ts'
import { readConfig } from './load.ts'

const read = (json: string) => readConfig({ ICE_SERVERS: json }).iceServers

test('STUN and TURN servers are read as browsers take them', () => {
  assert.deepEqual(readConfig({}).iceServers, [])
  const servers = [
    { urls: 'stun:stun.example.com' },
    { urls: ['turn:turn.example.com:3478?transport=udp', 'turns:turn.example.com'], username: 'u', credential: 'p' },
  ]
  assert.deepEqual(read(JSON.stringify(servers)), servers)
})

test('an invalid ICE_SERVERS is reported without its content', () => {
  const invalid = [
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
  for (const json of invalid)
    assert.throws(
      () => read(json),
      (error) => error instanceof ConfigError && /ICE_SERVERS/.test(error.message) && !/s3cret/.test(error.message),
      json,
    )
})

test('TURN_SECRET needs a TURN server without a password, and is not repeated in the error', () => {
  const turn = (server: object) => readConfig({ ICE_SERVERS: JSON.stringify([server]), TURN_SECRET: 's3cret' })
  assert.equal(turn({ urls: ['stun:a', 'turn:a'] }).turnSecret, 's3cret')
  assert.equal(readConfig({}).turnSecret, null)
  for (const server of [{ urls: 'stun:a' }, { urls: 'turn:a', username: 'u', credential: 'p' }])
    assert.throws(
      () => turn(server),
      (error) => error instanceof ConfigError && /TURN_SECRET/.test(error.message) && !/s3cret/.test(error.message),
    )
})

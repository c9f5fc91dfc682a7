import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './load.ts'

test('GATEWAY_URL is stored without its trailing slash', () => {
  assert.equal(readConfig({}).gateway.remote, null)
  const { gateway } = readConfig({ GATEWAY_URL: 'https://gw.example.com/v1/', GATEWAY_DRIVER: 'remote' })
  assert.deepEqual([gateway.driver, gateway.remote], ['remote', { url: 'https://gw.example.com/v1' }])
})

test('an invalid GATEWAY_URL is refused without repeating its secrets', () => {
  assert.throws(() => readConfig({ GATEWAY_DRIVER: 'remote' }), /GATEWAY_DRIVER remote needs GATEWAY_URL/)
  for (const url of [
    'gw.example.com',
    'ftp://gw.example.com',
    'https://ana:s3cret@gw.example.com',
    'https://gw.example.com/?key=s3cret',
  ])
    assert.throws(
      () => readConfig({ GATEWAY_URL: url }),
      ({ message }: Error) => /GATEWAY_URL must/.test(message) && !message.includes('s3cret'),
    )
})

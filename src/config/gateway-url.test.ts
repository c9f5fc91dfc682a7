import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './load.ts'

test('the address of a gateway service is kept without a slash at its end', () => {
  assert.equal(readConfig({}).gateway.remote, null)
  const { gateway } = readConfig({ GATEWAY_URL: 'https://gw.example.com/v1/', GATEWAY_DRIVER: 'remote' })
  assert.deepEqual([gateway.driver, gateway.remote], ['remote', { url: 'https://gw.example.com/v1' }])
})

test('an address that cannot be one is refused, without what may be secret in it', () => {
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

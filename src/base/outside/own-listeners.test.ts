// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressGuard } from '../network/cidr.ts'
import { ownListeners, portOf } from './own-listeners.ts'

const own = ownListeners({
  ports: () => [3000, 5060, 0],
  publicAddress: '198.51.100.7',
  publicUrl: 'https://Voice.example.com',
  addresses: () => ['127.0.0.1', '8.8.8.8', '10.0.0.5', '2606:4700::1'],
})

test('our ports are refused on every own address in any notation, and other ports are not', () => {
  const addresses = ['127.0.0.1', '127.9.9.9', '0.0.0.0', '::', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']
  for (const address of [...addresses, '8.8.8.8', '::ffff:808:808', '10.0.0.5', '2606:4700:0::1', '198.51.100.7'])
    for (const port of [3000, 5060]) assert.ok(own.isListener('any.example', [address], port), `${address} ${port}`)
  assert.ok(own.isListener('any.example', ['1.1.1.1', '127.0.0.1'], 3000), 'one address is enough')
  for (const [address, port] of [
    ['127.0.0.1', 3001],
    ['127.0.0.1', 0],
    ['1.1.1.1', 3000],
    ['10.0.0.6', 3000],
  ] as const)
    assert.ok(!own.isListener('any.example', [address], port), `${address} ${port}`)
})

test('the public name is ours on its port and on ours, wherever it resolves', () => {
  for (const name of ['voice.example.com', 'VOICE.example.com', 'voice.example.com.'])
    for (const port of [443, 3000]) assert.ok(own.isListener(name, ['1.1.1.1'], port), `${name} ${port}`)
  assert.ok(!own.isListener('voice.example.com', ['1.1.1.1'], 8443))
  assert.ok(own.isListener('8.8.8.8', ['8.8.8.8'], 443), 'a proxy that is asked for no name')
  assert.ok(!own.isListener('crm.example.com', ['8.8.8.8'], 443), 'another name at the same proxy')
})

test('addresses of this machine are reached only if they are allowed', () => {
  const strict = addressGuard([], own.isOwnAddress)
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1']) assert.ok(!strict.mayReach(address), address)
  assert.ok(strict.mayReach('8.8.4.4') && strict.mayReach('2606:4700::2'))
  assert.ok(addressGuard(['8.8.8.0/24'], own.isOwnAddress).mayReach('8.8.8.8'))
})

test('a server that is not listening has no port', () => {
  assert.deepEqual([portOf(null), portOf('/a/socket'), portOf({ port: 3000 })], [0, 0, 3000])
})

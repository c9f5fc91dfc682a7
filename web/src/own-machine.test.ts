import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOwnMachine } from './own-machine.ts'

test('loopback addresses lead to this computer only; names and networks do not', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])
    assert.ok(isOwnMachine(host), host)
  for (const host of ['192.168.0.9', 'voz.example.com', '127.example.com', 'localhost.example.com', '[2001:db8::1]'])
    assert.ok(!isOwnMachine(host), host)
})

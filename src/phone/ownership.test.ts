import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOwnership } from './ownership.ts'

test('the Path of a registration leads to its own proxy, and to what the trunks of its owner may reach', () => {
  const { pathRefusal } = createOwnership({
    directory: { claimsAt: () => [], isAdministrator: () => false },
    networks: [],
    isProxy: (address) => address === '8.8.4.4',
    ports: [5060],
    publicAddresses: () => ['198.51.100.1'],
  })
  const refusal = pathRefusal({ userId: 'usr' }, '10.0.0.5')
  assert.equal(refusal({ address: '10.0.0.5', port: 5070 }), undefined)
  assert.equal(refusal({ address: '8.8.8.8', port: 5060 }), undefined)
  assert.match(refusal({ address: '10.0.0.6', port: 5060 }) ?? '', /not a public address/)
  assert.match(refusal({ address: '198.51.100.1', port: 5060 }) ?? '', /this server itself/)
  assert.match(refusal({ address: '8.8.4.4', port: 5060 }) ?? '', /SIP proxy of this service/)
  assert.equal(pathRefusal({ userId: 'usr' }, '8.8.4.4')({ address: '8.8.4.4', port: 5060 }), undefined)
  const looped = pathRefusal({ userId: 'usr' }, '198.51.100.1')
  assert.match(looped({ address: '198.51.100.1', port: 5060 }) ?? '', /this server itself/)
})

// Which borrowed connections are kept when there are too many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RelayedConnections } from './relayed-connections.ts'

const phone = (port: number) => ({ transport: 'tcp', remote: { address: '203.0.113.7', port } }) as const

test('of too many borrowed connections the one that was not used for longest is closed', async () => {
  const closed: string[] = []
  const borrowed = new RelayedConnections(
    {
      relay: async () => null,
      own: { connectionOf: () => undefined, send: () => {} },
      events: { received: () => {}, closed: (_, detail) => closed.push(detail) },
    },
    3,
  )
  const [talking, idle, answering] = [1, 2, 3].map((port) => borrowed.borrow('two', phone(port)))
  assert.ok(talking && idle && answering)
  borrowed.send(Buffer.from('BYE sip:a SIP/2.0\r\n\r\n'), talking)
  borrowed.receive('two', { ...phone(3), direction: 'in', bytes: '' })
  borrowed.borrow('two', phone(4))
  assert.deepEqual(
    [talking, idle, answering].map((flow) => borrowed.isOpen(flow)),
    [true, false, true],
  )
  assert.deepEqual(closed, ['too many connections'])
})

// SIP ladder layout.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipEntry } from '../../../client/paths.ts'
import { layOutLadder, messageTone, shortLabel } from './sip-ladder-layout.ts'

const entry = (ms: number, direction: 'in' | 'out', remote: string, summary: string): SipEntry => ({
  at: new Date(Date.UTC(2026, 0, 2, 3, 4, 5) + ms).toISOString(),
  direction,
  transport: 'udp',
  remote,
  summary,
  message: `${summary}\r\n`,
})

test('outgoing messages start at the first column, incoming ones end there', () => {
  const { sides, rungs } = layOutLadder([
    entry(0, 'out', '192.0.2.1:5060', 'INVITE sip:600@192.0.2.1'),
    entry(40, 'in', '192.0.2.1:5060', '100 Trying (INVITE)'),
    entry(1540, 'in', '192.0.2.1:5060', '200 OK (INVITE)'),
  ])
  assert.deepEqual(sides, ['192.0.2.1:5060 udp'])
  assert.deepEqual(
    rungs.map(({ from, to, sinceFirstMs, sinceLastMs, tone }) => [from, to, sinceFirstMs, sinceLastMs, tone]),
    [
      [0, 1, 0, 0, 'request'],
      [1, 0, 40, 40, 'progress'],
      [1, 0, 1540, 1500, 'success'],
    ],
  )
})

test('each peer has a column; beyond four, the rest share one', () => {
  const many = [1, 2, 3, 4, 5, 6].map((n) => entry(n, 'out', `192.0.2.${n}:5060`, 'OPTIONS sip:x'))
  const { sides, rungs } = layOutLadder(many)
  assert.deepEqual(sides, ['192.0.2.1:5060 udp', '192.0.2.2:5060 udp', '192.0.2.3:5060 udp', null])
  assert.deepEqual(
    rungs.map(({ to }) => to),
    [1, 2, 3, 4, 4, 4],
  )
})

test('no messages, empty ladder', () => {
  assert.deepEqual(layOutLadder([]), { sides: [], rungs: [] })
})

test('an authentication challenge is not a failure', () => {
  const summaries = [
    'ACK sip:x',
    '180 Ringing (INVITE)',
    '200 OK (BYE)',
    '407 Proxy Authentication Required',
    '486 Busy',
  ]
  assert.deepEqual(summaries.map(messageTone), ['request', 'progress', 'success', 'challenge', 'failure'])
})

test('an arrow shows the method without the address, and marks retransmissions', () => {
  assert.equal(shortLabel('INVITE sip:+5511@carrier.example'), 'INVITE')
  assert.equal(shortLabel('BYE sips:a@b again'), 'BYE ↻')
  assert.equal(shortLabel('200 OK (INVITE)'), '200 OK (INVITE)')
})

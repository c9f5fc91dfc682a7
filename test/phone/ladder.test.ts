// The SIP ladder of a call: messages of both sides in order, with secrets masked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipEntry } from '../../src/features/trunks/schema.ts'
import { agentOnTrunk, ended, startPhoneApp } from '../phone-app.ts'
import { startCarrier } from '../phones/kamailio.ts'
import { freeSipPort } from '../phones/ports.ts'
import { runSipp, startSipp } from '../phones/sipp.ts'
import { callee, caller } from '../phones/sipp-scenarios.ts'
import { until } from '../until.ts'

/** The entries without provisional responses and retransmissions. */
const starts = (entries: SipEntry[]) =>
  entries
    .filter(({ summary }) => !/^(100|180) | again$/.test(summary))
    .map(({ direction, summary }) => `${direction} ${summary.split(' ')[0]}`)

test('the SIP ladder of an inbound call from sipp', async () => {
  const app = await startPhoneApp()
  const port = await freeSipPort()
  const { number } = await agentOnTrunk(app, app.ana, port)
  await runSipp({ scenario: caller({ talkMs: 200 }), to: `127.0.0.1:${app.sipPort}`, port, service: number })
  const [call] = await until('the call is in the list', async () => {
    const { json } = await app.ana.get('/api/calls')
    return json.length > 0 && json
  })
  await ended(app.ana, call.callId)
  const { entries, ladder } = await until('its messages are kept', async () => {
    const { json } = await app.ana.get(`/api/calls/${call.callId}/sip`)
    return json.entries.length > 0 && json
  })
  assert.deepEqual(starts(entries), ['in INVITE', 'out 200', 'in ACK', 'in BYE', 'out 200'])
  assert.match(entries[0].message, new RegExp(`^INVITE sip:\\${number}@[\\s\\S]*m=audio`))
  assert.match(ladder, new RegExp(`^ +we +127\\.0\\.0\\.1:${port} udp\\n`))
})

test('the SIP ladder of an authenticated outbound call masks the credentials', async (t) => {
  const app = await startPhoneApp()
  const there = await startSipp({ scenario: callee({ hangsUpAfterMs: 200 }) })
  t.after(there.stop)
  const carrier = await startCarrier({
    accounts: { trunk: 'secret-word' },
    phones: { '+15550100': there.uri },
  })
  t.after(carrier.stop)
  const { agentId } = await agentOnTrunk(app, app.ana, carrier.port, {
    type: 'outbound',
    trunk: { authMode: 'digest', username: 'trunk', password: 'secret-word' },
  })
  const { callId } = (await app.ana.post('/api/calls/outbound', { agentId, toNumber: '+15550100' })).json
  assert.equal((await ended(app.ana, callId)).status, 'completed')
  const { entries } = await until('its messages are kept', async () => {
    const { json } = await app.ana.get(`/api/calls/${callId}/sip`)
    return json.entries.length > 0 && json
  })
  const wanted = ['out INVITE', 'in 407', 'out ACK', 'out INVITE', 'in 200', 'out ACK', 'in BYE', 'out 200']
  assert.deepEqual(starts(entries), wanted)
  const text = entries.map(({ message }: SipEntry) => message).join('\n')
  assert.match(text, /Proxy-Authorization: Digest \[hidden\]/i)
  assert.doesNotMatch(text, /secret-word|response=|cnonce=/)
})

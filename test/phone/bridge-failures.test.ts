// Failed bridges: no answer, busy, early hangup, limit reached. The agent goes on with the caller.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AGENT_HZ, agentOnTrunk, startPhoneApp, toneFrames } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { heardMs, listen } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { baresipPhone, hears, messagesOf, rightlyEnded, toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({ MAX_CALLS_PER_USER: '2' }, { converse: agent.converse })

/** A caller in a call with the agent, and a phone that rings until the test acts. */
async function callerAndTarget(t: { after(stop: () => unknown): void }, more: object = {}) {
  const client = await app.newUser('ana')
  const [phone, other] = [await baresipPhone(), await baresipPhone({ user: 'second', answer: 'manual' })]
  t.after(phone.stop)
  t.after(other.stop)
  const { number, agentId } = await agentOnTrunk(app, client, phone.port, more)
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const talk = await agent.next()
  await phone.established()
  const statusIs = (wanted: string) =>
    until(`it is ${wanted}`, async () => {
      const { status } = (await client.get(`/api/calls/${talk.call.callId}`)).json
      return status === wanted
    })
  const goesOn = async () => {
    await statusIs('in_progress')
    assert.equal(talk.signal.aborted, false)
    await hears(phone, AGENT_HZ, heardMs(listen(phone.heard()), AGENT_HZ) + 300)
    await until('the second place is free', () => app.app.phone?.live.total === 1)
  }
  return { client, phone, other, agentId, number, statusIs, goesOn, ...talk }
}

test('an unanswered transfer target is cancelled after the ring timeout, and the agent continues', async (t) => {
  const { transport, other, phone, statusIs, goesOn, client, call } = await callerAndTarget(t)
  const outcome = transport.act({ do: 'transfer', to: other.uri, method: 'bridge', ringTimeoutMs: 5000 })
  await other.incoming()
  await statusIs('transferring')
  assert.equal((await outcome).status, 'no_answer')
  await other.over()
  await goesOn()
  await phone.hangUp()
  await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
})

test('a busy, an unreachable and a denied transfer target have different outcomes, and the agent continues', async (t) => {
  const { transport, other, phone, goesOn } = await callerAndTarget(t)
  const outcome = transport.act({ do: 'transfer', to: other.uri, method: 'bridge' })
  await other.incoming()
  await other.hangUp()
  const busy = await outcome
  assert.equal(busy.status, 'busy')
  assert.match(busy.detail ?? '', /^486/)
  await goesOn()
  const nobody = await transport.act({ do: 'transfer', to: `sip:nobody@127.0.0.1:${other.port}`, method: 'bridge' })
  assert.equal(nobody.status, 'failed')
  assert.match(nobody.detail ?? '', /404/)
  const denied = await transport.act({ do: 'transfer', to: '+8821612345678', method: 'bridge' })
  assert.deepEqual(denied, { status: 'failed', detail: 'this number may not be called' })
  const noWay = await transport.act({ do: 'transfer', to: '+5511987654321', method: 'bridge' })
  assert.equal(noWay.status, 'failed', 'nothing listens where this trunk leads')
  await goesOn()
  await phone.hangUp()
})

test('a caller who hangs up during a transfer cancels the ringing target', async (t) => {
  const { transport, other, phone, client, call } = await callerAndTarget(t)
  const outcome = transport.act({ do: 'transfer', to: other.uri, method: 'bridge' })
  await other.incoming()
  await phone.hangUp()
  assert.equal((await outcome).status, 'canceled')
  await other.over()
  await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
  const sent = (await messagesOf(client, call.callId)).map(({ direction, summary }) => `${direction} ${summary}`)
  assert.ok(
    sent.some((line) => line.startsWith('out CANCEL')),
    sent.join('\n'),
  )
})

test('a target that hangs up during the whisper is not joined, and the agent continues; a failed whisper is skipped', async (t) => {
  const { transport, other, phone, goesOn } = await callerAndTarget(t)
  const whisper = () => toneFrames(2300, 30)
  const outcome = transport.act({ do: 'transfer', to: other.uri, whisper })
  await other.incoming()
  await other.accept()
  await hears(other, 2300, 300)
  await other.hangUp()
  const { status, detail } = await outcome
  assert.equal(status, 'failed')
  assert.match(detail ?? '', /before the calls were joined/)
  await goesOn()
  const mute = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no voice')) }) })
  const again = transport.act({ do: 'transfer', to: other.uri, whisper: mute })
  await other.incoming()
  await other.accept()
  assert.deepEqual(await again, { status: 'connected' })
  await other.hangUp()
  await phone.over()
})

test('the second leg takes a slot: at the account limit no target is called', async (t) => {
  const { transport, other, phone, client, number, goesOn } = await callerAndTarget(t)
  const second = await baresipPhone({ user: 'another' })
  t.after(second.stop)
  await second.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  await agent.next()
  const outcome = await transport.act({ do: 'transfer', to: other.uri, method: 'bridge' })
  assert.deepEqual(outcome, { status: 'failed', detail: 'This account carries 2 calls at most' })
  await second.hangUp()
  await until('there is room', () => app.app.phone?.live.total === 1)
  await goesOn()
  await phone.hangUp()
  assert.equal((await client.get('/api/calls')).json.length, 2)
})

test('a bridged call ends on both sides at the maximum duration', async (t) => {
  const settings = { turn: { maxDurationMs: 10_000 } }
  const { transport, other, phone, client, call } = await callerAndTarget(t, { agent: { settings } })
  const outcome = transport.act({ do: 'transfer', to: other.uri, method: 'bridge' })
  await other.incoming()
  await other.accept()
  assert.deepEqual(await outcome, { status: 'connected' })
  await Promise.all([phone, other].map((each) => each.next('CALL_CLOSED', 30_000)))
  await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'max_duration', hangupBy: 'system' })
})

test('an unsupported REFER falls back to a bridge, unless REFER was required', async (t) => {
  const client = await app.newUser('ana')
  const carrier = await openByHand(t)
  const other = await baresipPhone({ user: 'second' })
  t.after(other.stop)
  const { number } = await agentOnTrunk(app, client, carrier.port)
  carrier.onRequest = (request) => carrier.answer(request, request.method === 'REFER' ? 501 : 200)
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  const { transport } = await agent.next()
  const refused = await transport.act({ do: 'transfer', to: other.uri, method: 'refer' })
  assert.deepEqual(refused, { status: 'failed', detail: '501 Not Implemented' })
  assert.deepEqual(await transport.act({ do: 'transfer', to: other.uri }), { status: 'connected' })
  await other.established()
  assert.equal(carrier.all('REFER').length, 2)
  await call.bye()
  await other.over()
})

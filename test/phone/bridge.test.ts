// Bridged transfers, cold and warm: two real phones talk to each other through Ramal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AGENT_HZ, agentOnTrunk, newNumber, startPhoneApp, toneFrames } from '../phone-app.ts'
import { heardMs, listen, stretchesOf } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import {
  baresipPhone,
  hears,
  linphonePhone,
  messagesOf,
  recordingOf,
  rightlyEnded,
  type StartPhone,
  toneAgent,
} from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp({}, { converse: agent.converse })
const places = () => app.app.phone?.live.total

const [CALLER_HZ, TARGET_HZ, WHISPER_HZ, HOLD_HZ] = [1000, 1600, 2300, 400]

const pairs: [string, StartPhone, StartPhone][] = [
  ['baresip', baresipPhone, linphonePhone],
  ['linphone', linphonePhone, baresipPhone],
]
for (const [name, startCaller, startTarget] of pairs) {
  test(`${name} is bridged to another phone: audio and DTMF pass both ways, and hanging up ends both legs`, async (t) => {
    const client = await app.newUser(name)
    const [phone, other] = [
      await startCaller({ says: { hz: CALLER_HZ } }),
      await startTarget({ user: 'second', says: { hz: TARGET_HZ } }),
    ]
    t.after(phone.stop)
    t.after(other.stop)
    const { number } = await agentOnTrunk(app, client, phone.port)
    await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
    const { call, transport, signal, heard } = await agent.next()
    await phone.established()
    await hears(phone, AGENT_HZ, 300)
    await until('the agent hears the caller', () => heardMs(heard(), CALLER_HZ) > 500)
    const outcome = await transport.act({ do: 'transfer', to: other.uri, method: 'bridge' })
    assert.deepEqual(outcome, { status: 'connected' })
    await other.established()
    await Promise.all([hears(phone, TARGET_HZ, 700), hears(other, CALLER_HZ, 700)])
    assert.equal((await client.get(`/api/calls/${call.callId}`)).json.status, 'in_progress')
    assert.equal(places(), 2, 'each leg has its place')
    await phone.press('4')
    await other.press('9')
    await until('the keys have passed', () => other.digits() === '4' && phone.digits() === '9')
    await until('the agent has taken its leave', () => signal.aborted)
    await phone.hangUp()
    await other.over()
    await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'transferred', hangupBy: 'caller' })
    await until('the places are free', () => places() === 0)

    const { left, right } = await recordingOf(app, client, call.callId)
    assert.ok(heardMs(left, CALLER_HZ) > 1000, 'the caller is on the left, from the beginning to the end')
    const [agentEnds = 0, targetBegins = 0] = [
      stretchesOf(right, AGENT_HZ).at(-1)?.toMs,
      stretchesOf(right, TARGET_HZ)[0]?.fromMs,
    ]
    assert.ok(heardMs(right, TARGET_HZ) > 500 && targetBegins >= agentEnds - 40, `${agentEnds} ${targetBegins}`)
    const summaries = (await messagesOf(client, call.callId)).map(({ direction, summary }) => `${direction} ${summary}`)
    assert.ok(
      summaries.some((line) => line.startsWith('in INVITE')) && summaries.some((l) => l.startsWith('out INVITE')),
    )
    assert.ok(
      summaries.some((line) => line.startsWith('in BYE')) && summaries.some((line) => line.startsWith('out BYE')),
    )
  })
}

test('the target gets the extension and a whisper that the caller does not hear; then the two are bridged', async (t) => {
  const client = await app.newUser('ana')
  const [phone, other] = [
    await linphonePhone({ says: { hz: CALLER_HZ } }),
    // Keeps each packet of the whisper, even if it is late.
    await baresipPhone({ user: 'second', says: { hz: TARGET_HZ } }),
  ]
  t.after(phone.stop)
  t.after(other.stop)
  const { number } = await agentOnTrunk(app, client, phone.port)
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const { call, transport } = await agent.next()
  await phone.established()
  const isChecked = Promise.withResolvers<void>()
  async function* whispered() {
    await isChecked.promise
    yield* toneFrames(WHISPER_HZ, 1)
  }
  const outcome = transport.act({
    do: 'transfer',
    to: other.uri,
    whisper: whispered,
    extension: '7w#',
    headers: { 'X-Ticket': '42', 'X-Bad\r\nVia': 'x', Via: 'SIP/2.0/UDP evil', 'X-Two': 'a\r\nRoute: <sip:evil>' },
  })
  await other.established()
  assert.equal((await client.get(`/api/calls/${call.callId}`)).json.status, 'transferring')
  isChecked.resolve()
  assert.deepEqual(await outcome, { status: 'connected' })
  await Promise.all([hears(phone, TARGET_HZ, 500), hears(other, CALLER_HZ, 500)])
  assert.equal(other.digits(), '7#')
  const there = listen(other.heard())
  const whisper = stretchesOf(there, WHISPER_HZ)
  assert.ok(heardMs(there, WHISPER_HZ) > 700, JSON.stringify(whisper))
  assert.ok((stretchesOf(there, CALLER_HZ)[0]?.fromMs ?? 0) >= (whisper.at(-1)?.toMs ?? 0) - 60, 'not before its end')
  assert.equal(heardMs(listen(phone.heard()), WHISPER_HZ), 0, 'the caller does not hear it')
  await other.hangUp()
  await phone.over()
  await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'transferred', hangupBy: 'agent' })
  const { left, right } = await recordingOf(app, client, call.callId)
  assert.equal(heardMs(left, WHISPER_HZ) + heardMs(right, WHISPER_HZ), 0, 'nor is it recorded')
  const sent = (await messagesOf(client, call.callId)).map(({ message }) => message).join('\n')
  assert.match(sent, /^x-ticket: 42\r$/im)
  assert.doesNotMatch(sent, /evil/)
})

test("the caller hears hold music while the target rings, interrupted by the agent's speech, and the API ends both legs", async (t) => {
  let given: Parameters<typeof agent.converse>[1] | undefined
  const quiet = await startPhoneApp(
    {},
    {
      converse: async (_call, transport) => {
        given = transport
        for await (const _ of transport.input);
        return { endReason: 'agent_ended' }
      },
    },
  )
  const client = await quiet.newUser('ana')
  const to = newNumber()
  const [phone, other] = [
    await linphonePhone({ says: { hz: CALLER_HZ } }),
    await baresipPhone({ user: to, says: { hz: TARGET_HZ }, answer: 'manual' }),
  ]
  t.after(phone.stop)
  t.after(other.stop)
  const { number, agentId } = await agentOnTrunk(quiet, client, phone.port)
  // This time the target is a number, reached through the agent's outbound trunk.
  const carrier = { name: 'outbound', host: '127.0.0.1', port: other.port, optionsPing: false }
  const trunk = (await client.post('/api/trunks', carrier)).json
  await client.post(`/api/agents/${agentId}/link-trunk`, { trunkId: trunk.id, trunkType: 'outbound' })
  await quiet.app.phone?.refresh()
  await phone.dial(`sip:${number}@127.0.0.1:${quiet.sipPort}`)
  await phone.established()
  const transport = await until('the agent has the call', () => given)
  const [call] = (await client.get('/api/calls')).json
  const outcome = transport.act({
    do: 'transfer',
    to,
    method: 'bridge',
    callerId: '+551140028922',
    hold: () => toneFrames(HOLD_HZ, 30),
  })
  await hears(phone, HOLD_HZ, 500)
  await transport.play(toneFrames(AGENT_HZ, 1), new AbortController().signal)
  await hears(phone, AGENT_HZ, 700)
  await hears(phone, HOLD_HZ, heardMs(listen(phone.heard()), HOLD_HZ) + 400)
  await other.incoming()
  await other.accept()
  assert.deepEqual(await outcome, { status: 'connected' })
  await Promise.all([hears(phone, TARGET_HZ, 400), hears(other, CALLER_HZ, 400)])
  assert.equal((await transport.play(toneFrames(AGENT_HZ, 1), new AbortController().signal)).playedMs, 0)
  const held = heardMs(listen(phone.heard()), HOLD_HZ)
  await hears(phone, TARGET_HZ, 700)
  assert.ok(heardMs(listen(phone.heard()), HOLD_HZ) - held < 100, 'nobody is held any more')
  await client.post(`/api/calls/${call.callId}/hangup`)
  await Promise.all([phone.over(), other.over()])
  await rightlyEnded(client, call.callId, { direction: 'inbound', endReason: 'canceled_by_api', hangupBy: 'system' })
  const sent = (await messagesOf(client, call.callId)).find(({ summary }) => summary.startsWith(`INVITE sip:${to}`))
  assert.match(sent?.message ?? '', /\+551140028922/)
})

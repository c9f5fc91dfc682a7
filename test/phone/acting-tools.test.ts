// Call-control tools (transfer, DTMF, hangup) that a model uses over its real protocol, in calls with real phones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelDb } from '../../src/audio/pcm.ts'
import { atEnd, type Client, startTestApp } from '../app.ts'
import { agentOnTrunk } from '../phone-app.ts'
import { freeSipPort } from '../phones/ports.ts'
import { heardMs, listen, stretchesOf } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { type ChatAnswer, type ChatRequest, lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { baresipPhone, hears, linphonePhone, rightlyEnded } from './talks.ts'

const [CALLER_HZ, TARGET_HZ] = [1000, 1600]

/** The model's reply; set by each test. */
let think: (request: ChatRequest) => ChatAnswer = () => ({ say: 'Olá.' })
const llm = await startLlm({ answer: (request) => think(request) })
atEnd(() => llm.stop())
const sipPort = await freeSipPort()
const app = {
  sipPort,
  ...(await startTestApp({
    SIP_PORT: String(sipPort),
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'stand-in',
    EMBEDDED_VOICE: 'small',
    // The phones play tones only.
    STT_PROVIDER: 'deepgram',
    DEEPGRAM_API_KEY: 'none',
    DEEPGRAM_BASE_URL: 'http://127.0.0.1:9',
  })),
}

/** A phone in a call with an agent that has these tools. Without an opening phrase the model speaks first. */
async function called(t: { after(stop: () => unknown): void }, name: string, tools: object[], opening?: string) {
  const client = await app.newUser(name)
  const phone = await baresipPhone({ says: { hz: CALLER_HZ } })
  t.after(phone.stop)
  const agent = {
    ttsProvider: 'provider_b',
    ...(opening ? { initialSpeech: opening } : { settings: { firstMessage: 'agent_first_generated' } }),
  }
  const { number, agentId } = await agentOnTrunk(app, client, phone.port, { agent })
  for (const tool of tools) {
    const made = await client.post('/api/tools', tool)
    assert.equal(made.status, 201, made.text)
    await client.post(`/api/tools/${made.json.id}/agents/${agentId}`)
  }
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  await phone.established()
  const [call] = (await client.get('/api/calls')).json
  return { client, phone, callId: call.callId as string }
}

const runsOf = async (client: Client, callId: string) => {
  const { conversationId } = (await client.get(`/api/calls/${callId}`)).json
  return (await client.get(`/api/conversations/${conversationId}/tool-calls`)).json as {
    name: string
    status: string
    result: string | null
  }[]
}

test('the model transfers a call: the target hears the whisper before the two are joined', async (t) => {
  const other = await linphonePhone({ user: 'second', says: { hz: TARGET_HZ } })
  t.after(other.stop)
  const config = { destinations: [{ type: 'sip', sipUri: other.uri, description: 'Vendas', mode: 'warm' }] }
  let schema: object | undefined
  think = ({ tools, messages }) => {
    schema ??= tools?.[0]?.function.parameters
    if (!tools?.length) return { say: 'O cliente quer a segunda via da fatura.' }
    return messages.at(-1)?.role === 'tool'
      ? { say: 'Nunca dito.' }
      : { calls: [{ name: 'pass_on', args: { destination: 'Vendas' } }] }
  }
  const tool = { name: 'pass_on', type: 'transfer_call', config }
  const { client, phone, callId } = await called(t, 'ana', [tool], 'Para vendas, tecle dois.')
  await until('the agent has spoken', () => levelDb(listen(phone.heard()).pcm) > -50)
  await phone.press('2')
  await other.established()
  await Promise.all([hears(phone, TARGET_HZ, 700), hears(other, CALLER_HZ, 700)])
  assert.match(JSON.stringify(schema), /"enum":\["Vendas"\]/)
  const there = listen(other.heard())
  // A short stretch of speech may match the tone.
  const joinedMs = stretchesOf(there, CALLER_HZ).find(({ fromMs, toMs }) => toMs - fromMs > 300)?.fromMs ?? 0
  const before = there.pcm.subarray(0, (joinedMs * there.rateHz) / 1000)
  assert.ok(joinedMs > 1000 && levelDb(before) > -45, `a whisper of ${joinedMs} ms at ${levelDb(before)} dB`)
  const [run] = await until('the record', async () => {
    const runs = await runsOf(client, callId)
    return runs[0]?.status === 'done' && runs
  })
  assert.equal(run?.result, '{"status":"connected"}')
  await other.hangUp()
  await phone.over()
  await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'transferred', hangupBy: 'agent' })
})

test('the model learns that a transfer was not answered, sends DTMF instead, and ends the call after its last words', async (t) => {
  const other = await baresipPhone({ user: 'second', answer: 'manual' })
  t.after(other.stop)
  const destination = { type: 'sip', sipUri: other.uri, method: 'bridge', ringTimeoutMs: 1500 }
  const told: string[] = []
  think = (request) => {
    if (request.messages.at(-1)?.role !== 'tool') return { calls: [{ name: 'pass_on', args: {} }] }
    told.push(lastSaid(request, 'tool'))
    if (told.length === 1) return { calls: [{ name: 'press', args: { digits: '7#' } }] }
    return { calls: [{ name: 'bye', args: {} }] }
  }
  const { client, phone, callId } = await called(t, 'bia', [
    { name: 'pass_on', type: 'transfer_call', config: { destinations: [destination] } },
    { name: 'press', type: 'dtmf', config: {} },
    { name: 'bye', type: 'end_call', config: { message: 'Até logo.' } },
  ])
  await other.incoming()
  await other.over()
  await phone.over()
  await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'agent_ended', hangupBy: 'agent' })
  assert.match(told[0] ?? '', /not_transferred.*no_answer/)
  assert.match(told[1] ?? '', /keys were pressed/)
  assert.equal(phone.digits(), '7#')
  assert.deepEqual((await runsOf(client, callId)).map(({ name, status }) => `${name} ${status}`).sort(), [
    'bye done',
    'pass_on failed',
    'press done',
  ])
  assert.equal(heardMs(listen(phone.heard()), TARGET_HZ), 0)
})

// Supervision of live calls with real phones: an operator listens in, makes the agent speak, and transfers the call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { levelDb } from '../../src/audio/pcm.ts'
import { anAgent, assertError, atEnd, type Client, startTestApp } from '../app.ts'
import { agentOnTrunk } from '../phone-app.ts'
import { freeSipPort } from '../phones/ports.ts'
import { heardMs, listen, type Sound, tone } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { type ChatRequest, lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { addressOf, orderOf, webCaller } from '../web-caller.ts'
import { baresipPhone, hears, rightlyEnded } from './talks.ts'

const [CALLER_HZ, TARGET_HZ] = [1000, 1600]
const OPENING = 'Olá!'
const WORDS = 'A loja fecha às seis da tarde.'

/** All requests to the model, including those for post-call analysis. */
const asked: ChatRequest[] = []
const llm = await startLlm({
  answer(request) {
    asked.push(request)
    return { say: 'Entendi, obrigada.' }
  },
})
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
const address = (await addressOf(app)).replace(/^http/, 'ws')

/** Otherwise, on a slow machine, the agent would ask whether the caller is still there, or hang up. */
const settings = { turn: { silenceHangupMs: 600_000, idleReminderMs: 0 } }
const agent = { ttsProvider: 'provider_b', initialSpeech: OPENING, language: 'pt-BR', settings }

/** A phone in a call with an agent that has spoken its opening phrase. */
async function called(t: { after(stop: () => unknown): void }, name: string) {
  const client = await app.newUser(name)
  const phone = await baresipPhone({ says: { hz: CALLER_HZ } })
  t.after(phone.stop)
  const { number, agentId } = await agentOnTrunk(app, client, phone.port, { agent })
  await phone.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  await phone.established()
  const [call] = (await client.get('/api/calls')).json
  const callId = call.callId as string
  await until('it has greeted', async () => (await saidIn(client, callId)).includes(`agent: ${OPENING}`))
  return { client, phone, callId, agentId, url: `/api/calls/${callId}` }
}

async function saidIn(client: Client, callId: string): Promise<string[]> {
  const { conversationId } = (await client.get(`/api/calls/${callId}`)).json
  if (!conversationId) return []
  const { json } = await client.get(`/api/conversations/messages/${conversationId}`)
  return json.map(({ type, content }: { type: string; content: string }) => `${type}: ${content}`)
}

/** A listener and all the audio they receive. */
async function listener(t: { after(stop: () => unknown): void }, { key }: Client, callId: string) {
  const socket = new WebSocket(`${address}/api/calls/${callId}/listen`, { headers: { 'x-api-key': key } })
  t.after(() => socket.terminate())
  const texts: unknown[] = []
  const frames: Buffer[] = []
  let closed: number | undefined
  socket.on('message', (data, isBinary) =>
    isBinary ? frames.push(data as Buffer) : texts.push(JSON.parse(String(data))),
  )
  socket.on('close', (code) => {
    closed = code
  })
  const refused = await new Promise<number | null>((resolve, reject) => {
    socket.on('open', () => resolve(null))
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0))
    socket.on('error', reject)
  })
  const side = (at: 0 | 1): Sound => {
    const all = Buffer.concat(frames)
    const pcm = Int16Array.from({ length: all.length >> 2 }, (_, i) => all.readInt16LE(i * 4 + at * 2))
    return { pcm, rateHz: 16_000 }
  }
  return { refused, texts, frames, caller: () => side(0), agent: () => side(1), closed: () => closed, socket }
}

/** Duration of audio above the noise floor from this point on. */
const loudMs = ({ pcm, rateHz }: Sound, fromMs = 0): number => {
  const size = rateHz / 50
  let loud = 0
  for (let at = (fromMs * rateHz) / 1000; at + size <= pcm.length; at += size)
    if (levelDb(pcm.subarray(at, at + size)) > -45) loud += 20
  return loud
}
const lengthMs = ({ pcm, rateHz }: Sound) => (pcm.length / rateHz) * 1000

test("an operator's words reach the caller and the listeners, and count as the agent's in transcript and model", async (t) => {
  const { client, phone, callId, url } = await called(t, 'ana')
  const bia = await app.newUser('bia')
  const [one, two] = [await listener(t, client, callId), await listener(t, client, callId)]
  const before = lengthMs(listen(phone.heard()))
  const said = await client.post(`${url}/say`, { text: WORDS })
  assert.deepEqual([said.status, said.json], [200, { callId, status: 'said' }])
  const waits = await client.post(`${url}/say`, { text: 'Algo mais?', interrupt: false })
  assert.deepEqual(waits.json, { callId, status: 'queued' })
  const { json: log } = await client.get(`/api/audit?recordId=${callId}`)
  const actions = log.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions.sort(), ['call.listened_to', 'call.listened_to', 'call.spoken_in', 'call.spoken_in'])
  await until('both are on record', async () => (await saidIn(client, callId)).length >= 3)
  assert.deepEqual(await saidIn(client, callId), [`agent: ${OPENING}`, `agent: ${WORDS}`, 'agent: Algo mais?'])
  const { conversationId } = (await client.get(url)).json
  const { json: stored } = await client.get(`/api/conversations/messages/${conversationId}`)
  assert.deepEqual(
    stored.map(({ author }: { author?: string }) => author),
    [undefined, 'operator', 'operator'],
  )
  await until('the phone has heard them', () => loudMs(listen(phone.heard()), before) > 1000)
  for (const ear of [one, two]) {
    assert.deepEqual(ear.texts[0], { type: 'format', rateHz: 16_000, channels: 2, encoding: 'pcm_s16le' })
    assert.ok(ear.frames.every(({ length }) => length === 1280))
    await until('the caller’s tone is left', () => heardMs(ear.caller(), CALLER_HZ) > 1000)
    await until('the agent’s voice is right', () => loudMs(ear.agent()) > 1000)
    assert.ok(heardMs(ear.agent(), CALLER_HZ) < 100, 'and the caller’s is not')
  }
  await phone.press('7')
  await until('the model answers', async () => (await saidIn(client, callId)).includes('agent: Entendi, obrigada.'))
  const { messages = [] } = asked.find((request) => lastSaid(request) === '7') ?? {}
  assert.ok(
    messages.some(({ role, content }) => role === 'assistant' && content?.includes(WORDS)),
    'the model knows',
  )

  assertError(await bia.post(`${url}/say`, { text: 'x' }), 404)
  assertError(await bia.post(`${url}/transfer`, { to: '+5511999990000' }), 404)
  assert.equal((await listener(t, bia, callId)).refused, 404)
  await phone.hangUp()
  for (const ear of [one, two]) {
    await until('he is told', () => ear.closed() !== undefined)
    assert.deepEqual([ear.closed(), ear.texts.at(-1)], [1000, { type: 'ended' }])
  }
  await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
  assertError(await client.post(`${url}/say`, { text: 'x' }), 409, 'This call has ended')
  assert.equal((await listener(t, client, callId)).refused, 409)
})

test('an operator transfers the call with a whisper; the agent falls silent and leaves', async (t) => {
  const { client, phone, callId, url } = await called(t, 'caio')
  // Keeps each packet of the whisper, even if it is late.
  const other = await baresipPhone({ user: 'second', says: { hz: TARGET_HZ }, answer: 'manual' })
  t.after(other.stop)
  const ear = await listener(t, client, callId)
  const order = { to: other.uri, method: 'bridge', whisper: 'Quer cancelar o contrato.' }
  const outcome = client.post(`${url}/transfer`, order)
  await other.incoming()
  assertError(await client.post(`${url}/transfer`, order), 409, /in progress/)
  assertError(await client.post(`${url}/say`, { text: 'x' }), 409, /being transferred/)
  await other.accept()
  const { status, json } = await outcome
  assert.deepEqual([status, json], [200, { callId, status: 'connected', detail: null }])
  await Promise.all([hears(phone, TARGET_HZ, 700), hears(other, CALLER_HZ, 700)])
  assert.ok(loudMs(listen(other.heard())) - heardMs(listen(other.heard()), CALLER_HZ) > 800, 'a whisper was heard')
  await until('the agent has left', () => ear.closed() === 1000)
  assertError(await client.post(`${url}/say`, { text: 'x' }), 409, /has left/)
  await other.hangUp()
  await phone.over()
  await rightlyEnded(client, callId, { direction: 'inbound', endReason: 'transferred', hangupBy: 'agent' })
  assert.deepEqual(await saidIn(client, callId), [`agent: ${OPENING}`])
})

test('after an unanswered operator transfer the agent says so and continues; a denied number is not tried', async (t) => {
  const { client, phone, callId, url } = await called(t, 'davi')
  const other = await baresipPhone({ user: 'second', answer: 'manual' })
  t.after(other.stop)
  const post = (body: object) => client.post(`${url}/transfer`, body)
  assertError(await post({ to: '+8821612345678' }), 403, /not allowed/)
  assertError(await post({ to: 'sip:+8821612345678@127.0.0.1' }), 403, /not allowed/)
  for (const to of ['123', 'sip:a b@x', 'http://x', 'sip:<x>']) assertError(await post({ to }), 400, /^to: /)
  const outcome = post({ to: other.uri, method: 'bridge' })
  await other.incoming()
  await other.hangUp()
  const { status, json } = await outcome
  assert.deepEqual([status, json.status], [200, 'busy'])
  assert.match(json.detail, /486/)
  const soundMs = lengthMs(listen(phone.heard()))
  await until('the agent says so', () => loudMs(listen(phone.heard()), soundMs) > 500)
  await phone.press('7')
  const said = await until('it goes on', async () => {
    const lines = await saidIn(client, callId)
    return lines.at(-1) === 'agent: Entendi, obrigada.' && lines
  })
  assert.deepEqual([said[0], said.length, said[2]], [`agent: ${OPENING}`, 4, 'user: 7'])
  assert.match(said[1] ?? '', /^agent: Desculpe,/)
  assert.equal((await client.get(url)).json.status, 'in_progress')
  await phone.hangUp()
  await phone.over()
})

test("another agent takes over at once, with the operator's note", async (t) => {
  const { client, phone, callId, agentId, url } = await called(t, 'eva')
  const sales = { name: 'Vendas', systemPrompt: 'Você vende.', initialSpeech: 'Aqui é de vendas.', language: 'pt-BR' }
  const next = (await client.post('/api/agents', { ...sales, ttsProvider: 'provider_b' })).json
  const same = await client.post(`${url}/transfer`, { agentId })
  assert.deepEqual([same.status, same.json.status], [200, 'failed'])
  const { json } = await client.post(`${url}/transfer`, { agentId: next.id, whisper: 'Quer o plano anual.' })
  assert.deepEqual(json, { callId, status: 'connected', detail: 'Vendas takes over.' })
  await until('it speaks', async () => (await saidIn(client, callId)).includes('agent: Aqui é de vendas.'))
  const said = await client.post(`${url}/say`, { text: 'Temos desconto.' })
  assert.deepEqual(said.json, { callId, status: 'said' }, 'the new agent is led as the first was')
  await phone.press('3')
  const isTold = ({ messages }: ChatRequest) => /Quer o plano anual/.test(messages[0]?.content ?? '')
  await until('its model is asked', () => asked.some((request) => isTold(request) && lastSaid(request) === '3'))
  await phone.hangUp()
  await phone.over()
})

test('a web call is supervised in the same way, but cannot be transferred to a number', async (t) => {
  const client = await app.newUser('fabi')
  const { id } = (await client.post('/api/agents', { ...anAgent, ...agent })).json
  const caller = await webCaller(app, await orderOf(client, id))
  t.after(() => caller.socket.terminate())
  const { callId } = (await caller.until('started')) as unknown as { callId: string }
  await caller.until('said', ({ text }) => text === OPENING)
  const ear = await listener(t, client, callId)
  caller.says(tone(CALLER_HZ, 2, 16_000).pcm)
  const said = await client.post(`/api/calls/${callId}/say`, { text: WORDS })
  assert.deepEqual(said.json, { callId, status: 'said' })
  await caller.until('said', ({ text, who }) => text === WORDS && who === 'agent')
  await until('each is on its side', () => heardMs(ear.caller(), CALLER_HZ) > 1000 && loudMs(ear.agent()) > 800)
  assert.ok(heardMs(ear.agent(), CALLER_HZ) < 100)
  const { json } = await client.post(`/api/calls/${callId}/transfer`, { to: '+5511999990000' })
  assert.deepEqual([json.status, typeof json.detail], ['failed', 'string'])
  await until('the agent speaks', () => loudMs(ear.agent()) > 2500)
  caller.tell({ type: 'hangup' })
  await until('who listens is told', () => ear.closed() === 1000)
})

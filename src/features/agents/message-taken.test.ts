// With no model left, the agent takes a message, by text and by voice, which becomes a call-back request with an event.
// @run sqlite
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { anAgent, startTestApp, testApp } from '../../../test/app.ts'
import { goingOn, putCall } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { retryingWrites } from '../../base/concurrency/retrying-writes.ts'
import { appError } from '../../base/errors/errors.ts'
import { createLog } from '../../base/process/log.ts'
import { createBreakers } from '../../failover/breakers.ts'
import { ruleAgent } from '../../llm/rule-agent.ts'
import type { AnsweredCall } from '../../phone/ports.ts'
import { followScript } from '../../simulation/caller.ts'
import { scriptedAudio } from '../../simulation/caller-audio.ts'
import { createOutages } from '../../simulation/outages.ts'
import { type ScriptedUtterance, scriptedStt, scriptedVad } from '../../simulation/scripted-stt.ts'
import { scriptedTransport } from '../../simulation/scripted-transport.ts'
import { scriptedVoice } from '../../simulation/scripted-tts.ts'
import { VirtualClock } from '../../simulation/virtual-clock.ts'
import type { Llm, Tts } from '../../voice/ports.ts'
import { callbackStore } from '../callbacks/store.ts'
import { conversationStore } from '../conversations/store.ts'
import { agentStore } from './store.ts'
import { voiceAgent } from './voice-agent.ts'

/** An address with no listener. */
async function deadAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/v1`
}

test('a visitor whose chat has lost its model leaves a call-back request; a program gets the error', async () => {
  const { ana, anonymous, database } = await startTestApp({
    LLM_BASE_URL: await deadAddress(),
    LLM_API_KEY: KEY,
    LLM_MODEL: 'gone',
  })
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  const origin = 'https://shop.example'
  const widget = (await ana.post('/api/widgets', { agentId, name: 'Shop', origins: [origin] })).json.id
  const ask = async (path: string, token?: string, body?: object) =>
    (
      await anonymous({
        method: 'POST',
        url: `/widget/${widget}/${path}`,
        headers: {
          origin,
          ...(token ? { authorization: `Bearer ${token}`, 'content-type': 'application/json' } : {}),
        },
        ...(body ? { payload: JSON.stringify(body) } : {}),
      })
    ).json
  const { token } = await ask('chat')
  const said: string[] = []
  for (const text of [
    'Quero remarcar a minha consulta de amanhã',
    'Maria Souza',
    '11 98765-4321',
    'não, só isso',
    'sim',
  ]) {
    const json = await ask('chat/messages', token, { text })
    said.push(json.text ?? JSON.stringify(json))
  }
  const [{ id }] = (await ana.get('/api/conversations')).json
  const direct = await ana.post(`/api/conversations/message/send/${id}?reply=true`, { type: 'user', content: 'Oi' })
  assert.equal(direct.status, 502)
  assert.match(said[0] ?? '', /não está disponível.*Qual é o seu nome\?$/)
  assert.match(said.at(-1) ?? '', /Alguém vai ligar de volta/)
  const [callback] = (await ana.get('/api/callbacks?status=open')).json
  assert.deepEqual(
    [callback.name, callback.phoneNumber, callback.matter, callback.reason, callback.conversationId, callback.callId],
    ['Maria Souza', '+5511987654321', 'Quero remarcar a minha consulta de amanhã', 'no_model', id, null],
  )
  const events = await database.db
    .selectFrom('events')
    .select('type')
    .where('conversationId', '=', id)
    .where('type', 'like', 'callback.%')
    .orderBy('sequence')
    .execute()
  assert.equal(events[0]?.type, 'callback.requested')
})

test('a caller whose agent has lost every model leaves a call-back request with their own number', async () => {
  const { ana, database } = await testApp()
  const { db } = database
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  const { id: conversationId } = (await ana.post('/api/conversations/start', { agentId })).json
  const call = await putCall(db, { userId: ana.userId, agentId, conversationId, direction: 'inbound', ...goingOn })
  const clock = new VirtualClock()
  const said: ScriptedUtterance[] = []
  const audio = scriptedAudio(clock, said)
  const line = scriptedTransport(clock, audio.nextFrame)
  const say = scriptedVoice(clock)
  const embedded = { id: 'embedded', version: '', name: 'Built-in', model: null }
  const voice = { id: 'v', name: 'v', language: 'pt-BR', gender: null, description: null }
  const tts: Tts = { name: 'script', voices: async () => [voice], speak: (text, _, signal) => say(text, signal) }
  const dead: Llm = {
    name: 'gone',
    isModel: true,
    reply: () => {
      throw appError('service_connection_refused', { service: 'gone' })
    },
  }
  const log = createLog('silent')
  const ready = Promise.withResolvers<void>()
  const { converse } = voiceAgent({
    agents: agentStore(db),
    conversations: conversationStore(db),
    callbacks: callbackStore(db),
    log,
    clock,
    speech: { vad: async () => scriptedVad, turnModel: async () => null } as never,
    async linksFor() {
      return {
        llm: [
          { id: 'prv_gone', version: '1', name: 'Gone', model: 'gone', engine: dead },
          { ...embedded, engine: ruleAgent() },
        ],
        stt: [{ ...embedded, engine: scriptedStt(clock, said, () => 200) }],
        tts: [{ ...embedded, engine: { tts, voiceId: 'v', language: 'pt-BR' } }],
      }
    },
    breakers: createBreakers({ now: () => clock.now(), wallMs: () => 0, sleep: (ms, stop) => clock.sleep(ms, stop) }),
    variablesOf: async () => ({}),
    saveTurns: async () => {},
    saveAnsweredBy: async () => {},
    write: retryingWrites({ log, prospectOf: () => 'never' }).write,
    tools: {
      forCall: async () => ({ tools: [], arrivals: [], unknown() {}, refused() {}, variables: () => ({}) }),
    },
    onReady: () => ready.resolve(),
  })
  const agent = { id: agentId, userId: ana.userId, name: 'Ana', isActive: true, direction: 'both' as const }
  let end: { endReason: string } | undefined
  void converse(
    {
      callId: call.id,
      conversationId,
      userId: ana.userId,
      direction: 'inbound',
      fromNumber: '+5511987654321',
      toNumber: '+551130000001',
      agent: { ...agent, recording: null, maxDurationMs: null },
    } as AnsweredCall,
    line.transport,
    line.signal,
  ).then((ended) => {
    end = ended
  })
  await ready.promise
  const steps = ['Quero remarcar a minha consulta.', 'Maria Souza.', 'Sim.', 'Não, só isso.', 'Está certo.']
  const scene = { clock, line, audio, outages: createOutages(), isListening: () => true, agentOpens: true }
  void followScript(
    steps.map((says) => ({ says })),
    scene,
    { activities: [], onStep: () => {} },
  )
  await clock.passUntil(() => end !== undefined, 300_000)
  assert.equal(end?.endReason, 'agent_ended')
  const callback = await until('the request is stored', async () => (await ana.get('/api/callbacks')).json[0])
  assert.deepEqual(
    [callback.name, callback.phoneNumber, callback.matter, callback.callId],
    ['Maria Souza', '+5511987654321', 'Quero remarcar a minha consulta.', call.id],
  )
  const event = await db.selectFrom('events').select('callId').where('type', '=', 'callback.requested').execute()
  assert.ok(event.some(({ callId }) => callId === call.id))
})

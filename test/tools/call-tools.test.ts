// Tools in a call: the agent's session as the phone service uses it, with real stores and tools; the caller and the
// model follow a script on the test's clock.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryingWrites } from '../../src/base/concurrency/retrying-writes.ts'
import { masterKeys } from '../../src/base/crypto/master-key.ts'
import { keyRing } from '../../src/base/crypto/secrets.ts'
import { guardedHttp } from '../../src/base/outside/guarded-http.ts'
import { createLog } from '../../src/base/process/log.ts'
import { createBreakers } from '../../src/failover/breakers.ts'
import { agentTools } from '../../src/features/agents/agent-tools.ts'
import { agentStore } from '../../src/features/agents/store.ts'
import { voiceAgent } from '../../src/features/agents/voice-agent.ts'
import { conversationStore } from '../../src/features/conversations/store.ts'
import { toolCallStore } from '../../src/features/conversations/tool-call-store.ts'
import { toolStore } from '../../src/features/tools/store.ts'
import { testRuns } from '../../src/features/tools/test-run-store.ts'
import { dialPolicy } from '../../src/phone/dial-policy.ts'
import { scriptedAudio } from '../../src/simulation/caller-audio.ts'
import { scriptedTransport } from '../../src/simulation/scripted-transport.ts'
import type { SpeechService } from '../../src/speech/open.ts'
import { custom } from '../../src/tool-types/custom.ts'
import { tokenSource } from '../../src/tool-types/http/oauth.ts'
import { tracedHttp } from '../../src/tool-types/http/traced-http.ts'
import { transferCall } from '../../src/tool-types/transfer-call.ts'
import type { Message, Tts } from '../../src/voice/ports.ts'
import { anAgent, atEnd, type Client, testApp } from '../app.ts'
import { goingOn, putCall } from '../call-rows.ts'
import { until } from '../until.ts'
import { ManualClock } from '../voice/manual-clock.ts'
import {
  type Reply,
  scriptedLlm,
  scriptedStt,
  scriptedVad,
  scriptedVoice,
  type Utterance,
} from '../voice/scripted-edges.ts'
import { startCounterpart } from './counterpart.ts'

type Said = { type: string; content: string }
const never = new AbortController().signal

/** Longer than any conversation here. */
const MAX_MS = 120_000

/** `arrived`: the test holds back a server's response, and time continues once the request has arrived. */
async function aCall(ana: Client, agentId: string, reply: Reply, { arrived }: { arrived?: Promise<unknown> } = {}) {
  const { database, config } = await testApp()
  const { db } = database
  const clock = new ManualClock()
  /** Stops the clock while a call to this part is in progress. */
  function held<T extends object>(part: T, release?: Promise<unknown>): T {
    const get = (target: T, name: string | symbol) => {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const result = value.apply(target, given)
        if (result instanceof Promise)
          clock.hold(() => (release ? Promise.race([result, release]) : result), never, 0).catch(() => {})
        return result
      }
    }
    return new Proxy(part, { get })
  }
  const conversations = held(conversationStore(db))
  const agents = held(agentStore(db))
  const { id: conversationId } = await conversations.start(ana.userId, { agentId })
  const call = await putCall(db, { userId: ana.userId, agentId, conversationId, direction: 'inbound', ...goingOn })
  const said: Utterance[] = []
  const sound = scriptedAudio(clock, said)
  const line = scriptedTransport(clock, () => sound.nextFrame())
  const asked: Message[][] = []
  const say = scriptedVoice(clock)
  const voices: { voice: string; text: string }[] = []
  const tts: Tts = {
    name: 'script',
    voices: async () =>
      ['ana', 'bia'].map((id) => ({ id, name: id, language: 'pt-BR', gender: null, description: null })),
    speak(text, { voiceId }, signal) {
      voices.push({ voice: voiceId, text })
      return say(text, signal)
    },
  }
  const speech = {
    slots: { provider_a: tts, provider_b: tts, provider_c: tts },
    stt: scriptedStt(clock, said, () => 200),
    vad: async () => scriptedVad,
    turnModel: async () => null,
  } as unknown as SpeechService
  const http = guardedHttp({ allowedNetworks: ['127.0.0.0/8'] })
  atEnd(() => http.close())
  const traced = held(tracedHttp(http), arrived)
  const readSound = () => ({ pcm: new Int16Array(0), rateHz: 8000 })
  const log = createLog('silent')
  const tools = agentTools({
    agents,
    tools: held(toolStore(db, keyRing(masterKeys(config.masterKeys, config.dataDir)))),
    toolCalls: held(toolCallStore(db)),
    types: {
      custom: custom({ http: traced, tokens: tokenSource(traced) }),
      transfer_call: transferCall({ http: traced, readSound, dialPolicy: dialPolicy([]) }),
    },
    http: traced,
    testRuns: held(testRuns(db)),
    log,
  })
  const writes = retryingWrites({ log, prospectOf: () => 'never' })
  let lookups = 0
  const { converse } = voiceAgent({
    agents,
    conversations,
    speech,
    async linksFor(_userId, { voiceId, language }) {
      lookups++
      const link = { id: 'embedded', version: '', name: 'Embedded', model: null }
      return {
        llm: [{ ...link, engine: scriptedLlm(clock, reply, 300, asked) }],
        stt: [{ ...link, engine: speech.stt }],
        tts: [{ ...link, engine: { tts, voiceId, language } }],
      }
    },
    breakers: createBreakers(),
    variablesOf: async () => ({}),
    saveTurns: async () => {},
    write: writes.write,
    saveAnsweredBy: async () => {},
    tools,
    log,
    clock,
  })
  const agent = { id: agentId, userId: ana.userId, name: 'Ana', isActive: true, direction: 'both' as const }
  let end: { endReason: string } | undefined
  const done = converse(
    {
      callId: call.id,
      conversationId,
      userId: ana.userId,
      agent: { ...agent, recording: null, maxDurationMs: null },
      direction: 'inbound',
      fromNumber: '+5511988887777',
      toNumber: call.toNumber,
    },
    line.transport,
    line.signal,
  ).then(async (ended) => {
    await writes.settled(call.id)
    end = ended
    return ended
  })
  const goesOn = async (what: string, isSo: () => unknown) =>
    assert.ok(await clock.passUntil(() => Boolean(isSo()), clock.now() + MAX_MS), `it did not come to this: ${what}`)
  return {
    line,
    asked,
    voices,
    call,
    clock,
    goesOn,
    /** Waits until the caller has heard this text, to its end or up to an interruption. */
    hears: (text: string) =>
      goesOn(
        `the caller hears: ${text}`,
        () => !line.isPlaying && line.played.some((each) => each.text === text && each.to < clock.now() - 100),
      ),
    says(text: string) {
      sound.speak({ text, ms: null, pcm: undefined })
    },
    get end() {
      return end
    },
    /** How often the model's account was looked up. */
    lookups: () => lookups,
    async leaves() {
      line.leave()
      await goesOn('the call is over', () => end)
      return done
    },
    messages: async (): Promise<Said[]> => (await ana.get(`/api/conversations/messages/${conversationId}`)).json,
    toolCalls: async () => (await ana.get(`/api/calls/${call.id}/tool-calls`)).json,
  }
}

async function anAgentOf(client: Client, fields: object): Promise<string> {
  const { json, status, text } = await client.post('/api/agents', { ...anAgent, language: 'pt-BR', ...fields })
  assert.equal(status, 201, text)
  return json.id
}
async function linked(client: Client, agentId: string, tool: object): Promise<void> {
  const { json, status, text } = await client.post('/api/tools', tool)
  assert.equal(status, 201, text)
  await client.post(`/api/tools/${json.id}/agents/${agentId}`)
}
const uses = (name: string, args: unknown = {}) => ({ call: { id: 'call_0', name, args } })
const toAgent = (agentId: string, more: object = {}) => ({
  name: 'passar',
  type: 'transfer_call',
  config: { destinations: [{ type: 'agent', agentId, description: 'vendas', ...more }] },
})

test('a call is transferred to another agent, which has its own voice and knows the conversation', async () => {
  const { ana } = await testApp()
  const bia = await anAgentOf(ana, {
    name: 'Bia',
    voiceId: 'bia',
    systemPrompt: 'Você vende.',
    initialSpeech: 'Aqui é a Bia.',
  })
  const first = await anAgentOf(ana, {
    name: 'Ana',
    voiceId: 'ana',
    systemPrompt: 'Você atende.',
    initialSpeech: 'Alô.',
  })
  await linked(ana, first, toAgent(bia))
  const call = await aCall(ana, first, (to) =>
    to.includes('vendas') ? [{ say: 'Vou passar. ' }, uses('passar')] : 'Custa dez.',
  )
  await call.hears('Alô.')
  call.says('Quero vendas')
  await call.hears('Aqui é a Bia.')
  call.says('Quanto custa isso')
  await call.hears('Custa dez.')
  assert.equal(call.end, undefined, 'the same call goes on')
  assert.equal(call.lookups(), 2, 'each agent has its own providers')
  assert.deepEqual(
    call.voices.map(({ voice, text }) => `${voice}: ${text}`),
    ['ana: Alô.', 'ana: Vou passar.', 'bia: Aqui é a Bia.', 'bia: Custa dez.'],
  )
  const prompt = call.asked.at(-1)?.[0]?.content ?? ''
  assert.match(prompt, /^Você vende\.\n\n.*handed over to you by another agent, Ana\./)
  assert.match(prompt, /Agent: Alô\.\nCaller: Quero vendas\nAgent: Vou passar\.$/)
  await call.leaves()
  assert.deepEqual(
    (await call.messages()).map(({ type, content }) => `${type}: ${content}`),
    [
      'agent: Alô.',
      'user: Quero vendas',
      'agent: Vou passar.',
      'system: The call was handed over to Bia.',
      'agent: Aqui é a Bia.',
      'user: Quanto custa isso',
      'agent: Custa dez.',
    ],
  )
  const [row, ...rest] = await call.toolCalls()
  assert.equal(rest.length, 0)
  assert.deepEqual([row.name, row.status], ['passar', 'done'])
})

test("the destination's message is the first thing the new agent says", async () => {
  const { ana } = await testApp()
  const bia = await anAgentOf(ana, { name: 'Bia', settings: { firstMessage: 'caller_first' } })
  const first = await anAgentOf(ana, { initialSpeech: 'Alô.' })
  await linked(ana, first, toAgent(bia, { message: 'Bia falando.' }))
  const call = await aCall(ana, first, () => [uses('passar')])
  await call.hears('Alô.')
  call.says('Quero vendas')
  await call.hears('Bia falando.')
  await call.leaves()
})

test("another user's agent or an inactive one takes no call, and the first agent goes on", async () => {
  const { ana, bia: other } = await testApp()
  const foreign = await anAgentOf(other, {})
  const asleep = await anAgentOf(ana, {})
  await ana.patch(`/api/agents/${asleep}`, { isActive: false })
  for (const agentId of [foreign, asleep]) {
    const first = await anAgentOf(ana, { initialSpeech: 'Alô.' })
    await linked(ana, first, toAgent(agentId))
    const call = await aCall(ana, first, (_to, _turn, history) =>
      history.at(-1)?.role === 'tool' ? 'Não deu.' : [uses('passar')],
    )
    await call.hears('Alô.')
    call.says('Quero vendas')
    await call.hears('Não deu.')
    const [row] = await call.toolCalls()
    assert.equal(row.status, 'failed')
    assert.deepEqual([JSON.parse(row.error).code, JSON.parse(row.error).status], ['not_transferred', 'failed'])
    await call.leaves()
  }
})

test('two agents that transfer a call back and forth stop after five times', async () => {
  const { ana } = await testApp()
  const one = await anAgentOf(ana, { name: 'Um', initialSpeech: 'Um.' })
  const two = await anAgentOf(ana, { name: 'Dois', initialSpeech: 'Dois.' })
  await linked(ana, one, toAgent(two))
  await linked(ana, two, toAgent(one))
  const call = await aCall(ana, one, (_to, _turn, history) =>
    history.at(-1)?.role === 'tool' ? 'Fico aqui.' : [uses('passar')],
  )
  for (let i = 0; i < 6; i++) {
    await call.goesOn(`opening ${i}`, () => !call.line.isPlaying && call.line.played.length > i)
    call.says('Quero outro agente')
  }
  await call.hears('Fico aqui.')
  const rows = await call.toolCalls()
  assert.deepEqual(
    rows.map(({ status }: { status: string }) => status),
    ['done', 'done', 'done', 'done', 'done', 'failed'],
  )
  await call.leaves()
})

test('barge-in during a tool call: one side effect, its result is used, the agent goes on', async () => {
  const { ana } = await testApp()
  const [arrival, release] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()]
  const counterpart = await startCounterpart(() => {
    arrival.resolve()
    return release.promise
  })
  const first = await anAgentOf(ana, { initialSpeech: 'Alô.' })
  const start = 'Vou marcar o seu horário agora mesmo, é só um momento.'
  await linked(ana, first, { name: 'marcar', type: 'custom', requestUrl: counterpart.url, messages: { start } })
  const book: Reply = (_to, _turn, history) => {
    const result = history.findLast(({ role }) => role === 'tool')?.content ?? ''
    return result.includes('booked') ? 'Está marcado.' : [uses('marcar', { day: 4 })]
  }
  const call = await aCall(ana, first, book, { arrived: arrival.promise })
  await call.hears('Alô.')
  call.says('Marque no dia quatro')
  await call.goesOn(
    'the tool is at work, and that is said',
    () => counterpart.received.length === 1 && call.line.isPlaying,
  )
  call.says('Espere um pouco por favor')
  await call.goesOn('the agent was interrupted', () => call.line.played.at(-1)?.isCut)
  release.resolve({})
  await until('its result is stored', async () => (await call.toolCalls())[0]?.status === 'done')
  await call.hears('Está marcado.')
  assert.equal(counterpart.received.length, 1)
  const rows = await call.toolCalls()
  assert.deepEqual(
    rows.map(({ status, result }: { status: string; result: string }) => [status, result]),
    [['done', 'booked']],
  )
  assert.ok((await call.messages()).some(({ type, content }) => type === 'user' && content.includes('Espere')))
  await call.leaves()
})

test('a call of a tool that the agent does not have is refused and recorded', async () => {
  const { ana } = await testApp()
  const first = await anAgentOf(ana, { initialSpeech: 'Alô.' })
  const counterpart = await startCounterpart()
  await linked(ana, first, { name: 'marcar', type: 'custom', requestUrl: counterpart.url })
  const call = await aCall(ana, first, (_to, _turn, history) =>
    history.at(-1)?.role === 'tool' ? 'Não posso.' : [uses('apagar_tudo', { all: true })],
  )
  await call.hears('Alô.')
  call.says('Apague tudo')
  await call.hears('Não posso.')
  const rows = await until('on record', async () => {
    const all = await call.toolCalls()
    return all.length > 0 && all
  })
  assert.deepEqual([rows[0].name, rows[0].status, rows[0].toolId], ['apagar_tudo', 'refused', null])
  assert.equal(counterpart.received.length, 0)
  await call.leaves()
})

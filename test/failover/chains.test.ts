// Provider chains over real sockets: every way in which a vendor's server can fail, before the first word and
// mid-sentence.
// @run real-time
// @run gate
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { monotonicMs } from '../../src/base/time/clock.ts'
import { createBreakers } from '../../src/failover/breakers.ts'
import { chainClock } from '../../src/failover/chain-clock.ts'
import { llmChain } from '../../src/failover/llm-chain.ts'
import type { ChainEvent, ChainLink } from '../../src/failover/ports.ts'
import { type TtsChain, ttsChain } from '../../src/failover/tts-chain.ts'
import { openAiChat } from '../../src/llm/openai-chat.ts'
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'
import { elevenLabs } from '../../src/speech/tts/elevenlabs.ts'
import { openAiSpeech } from '../../src/speech/tts/openai-speech.ts'
import { synthesizedText } from '../../src/voice/playout/synthesize.ts'
import type { AudioFrame, Clock, Llm, Speaker, Tts } from '../../src/voice/ports.ts'
import { until } from '../until.ts'
import { startElevenLabs, voices } from '../vendors/elevenlabs.ts'
import { type ChatRequest, startLlm } from '../vendors/llm.ts'
import { startOpenAi } from '../vendors/openai.ts'
import { type Fault, KEY } from '../vendors/server.ts'

const never = new AbortController().signal
const closing: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closing) await close()
})

/** A stopped clock: no timeout fires, so only immediate failures cause a failover. */
const still: Clock = {
  now: () => 0,
  sleep: (_ms, signal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
}

const SAID = 'Your appointment is on Monday at nine in the morning, and the doctor expects you ten minutes early.'
/** Continues the text it is given, and repeats its last two words as models do. */
function answer({ messages }: ChatRequest): { say: string } {
  const [before, order] = messages.slice(-2)
  if (before?.role !== 'assistant' || !order?.content?.includes('technical fault')) return { say: SAID }
  const heard = (before.content ?? '').trim()
  const repeated = heard.split(' ').slice(-2).join(' ')
  return { say: `${repeated} ${SAID.slice(heard.length).trim()}` }
}

async function llmPair() {
  const servers = [await startLlm({ answer }), await startLlm({ answer })] as const
  const engines = servers.map(({ url }) => openAiChat({ baseUrl: `${url}/v1`, apiKey: KEY, model: 'm' }))
  closing.push(...engines.map((engine) => () => engine.close()), ...servers.map((server) => () => server.stop()))
  const links = engines.map((engine, i): ChainLink<Llm> => ({ id: `${i}`, version: '', name: '', model: null, engine }))
  return { servers, links }
}

async function replyOf(llm: Llm): Promise<{ text: string; ms: number }> {
  const startedAt = monotonicMs()
  let text = ''
  for await (const part of llm.reply([{ role: 'user', content: 'When?' }], [], { language: 'en' }, never))
    if ('say' in part) text += part.say
  return { text, ms: monotonicMs() - startedAt }
}

/** `withinMs`: a limit below the model's own timeouts; null: at once. */
const llmFaults: [Fault, string, number | null][] = [
  ['unauthorized', 'key_refused', null],
  ['throttled', 'limited', null],
  ['broken', 'unreachable', null],
  ['reset-at-once', 'unreachable', null],
  ['wrong', 'invalid_answer', null],
  ['mislabelled', 'invalid_answer', null],
  ['reset', 'broken_off', null],
  ['silent', 'timeout', 9000],
  ['stall', 'broken_off', 9000],
]
for (const [fault, reason, withinMs] of llmFaults)
  test(`a model that fails with "${fault}" is replaced within the answer`, async () => {
    const { servers, links } = await llmPair()
    const events: ChainEvent[] = []
    const breakers = createBreakers()
    servers[0].fail(fault)
    const clock = withinMs === null ? still : chainClock
    const chain = llmChain({ links, breakers, clock, onEvent: (event) => void events.push(event) })
    const { text, ms } = await replyOf(chain)
    assert.equal(text, SAID)
    assert.ok(withinMs === null || ms < withinMs, `${ms} ms`)
    const degraded = events.find(({ type }) => type === 'degraded')
    assert.ok(degraded?.type === 'degraded')
    assert.deepEqual([degraded.from.providerId, degraded.to.providerId, degraded.reason], ['0', '1', reason])
    assert.ok(!JSON.stringify(events).includes(KEY) && !JSON.stringify(events).includes('Monday'))
  })

async function ttsPair() {
  const servers = [await startElevenLabs(), await startOpenAi()] as const
  const engines: [Tts & { close(): Promise<void> }, Tts & { close(): Promise<void> }] = [
    elevenLabs({ apiKey: KEY, baseUrl: servers[0].url }),
    openAiSpeech({ apiKey: KEY, baseUrl: `${servers[1].url}/v1` }),
  ]
  closing.push(...engines.map((engine) => () => engine.close()), ...servers.map((server) => () => server.stop()))
  const voiceIds = [voices[0]?.voice_id ?? '', 'alloy']
  const links = engines.map((tts, i): ChainLink<Speaker> => {
    const engine = { tts, voiceId: voiceIds[i] ?? '', language: 'en' }
    return { id: `${i}`, version: '', name: '', model: null, engine }
  })
  return { servers, links }
}

/** How much was heard, and the longest gap between two pieces. */
async function heard({ say, sentenceTries }: TtsChain, text: string) {
  let audioMs = 0
  let waitMs = 0
  let lastAt = monotonicMs()
  const audio: AsyncIterable<AudioFrame> = synthesizedText(
    text,
    {
      say,
      sentenceTries,
      clock: chainClock,
      onError: () => {},
    },
    never,
  )
  for await (const { pcm, rateHz } of audio) {
    waitMs = Math.max(waitMs, monotonicMs() - lastAt)
    lastAt = monotonicMs()
    audioMs += (pcm.length / rateHz) * 1000
  }
  return { audioMs, waitMs }
}

/** The fake voices speak 40 ms per letter. */
const WHOLE_MS = SAID.length * 40
/** `withinMs`: a limit below the vendor's own timeouts; null: at once. */
const ttsFaults: [Fault, number | null][] = [
  ['unauthorized', null],
  ['throttled', null],
  ['broken', null],
  ['reset-at-once', null],
  ['wrong', null],
  ['empty', null],
  ['cut', null],
  ['page', null],
  ['reset', null],
  ['silent', 9000],
  ['stall', 4500],
]
for (const [fault, withinMs] of ttsFaults)
  test(`a voice that fails with "${fault}" is replaced within the sentence`, async () => {
    const { servers, links } = await ttsPair()
    const events: ChainEvent[] = []
    servers[0].fail(fault)
    const clock = withinMs === null ? still : chainClock
    const chain = ttsChain({ links, breakers: createBreakers(), clock, onEvent: (event) => void events.push(event) })
    const { audioMs, waitMs } = await heard(chain, SAID)
    assert.ok(withinMs === null || waitMs < withinMs, `waited ${waitMs} ms`)
    // The stopping point is estimated from the usual pace of speech: a few words more or less.
    assert.ok(audioMs > 0.8 * WHOLE_MS && audioMs < 1.6 * WHOLE_MS, `${audioMs} of ${WHOLE_MS} ms`)
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => type === 'degraded'),
      ['degraded'],
    )
    assert.ok(!JSON.stringify(events).includes(KEY))
  })

test('the second call does not ask a vendor that is down, and uses it again when it is back', async () => {
  const { servers, links } = await llmPair()
  const time = new VirtualClock()
  const breakers = createBreakers({
    now: () => time.now(),
    wallMs: () => 0,
    sleep: (ms, signal) => time.sleep(ms, signal),
  })
  const events: ChainEvent[] = []
  const open = () => llmChain({ links, breakers, onEvent: (event) => void events.push(event) })
  servers[0].fail('unauthorized')
  const first = open()
  await replyOf(first)
  const asked = servers[0].asked.length
  const second = await replyOf(open())
  assert.equal(second.text, SAID)
  assert.equal(servers[0].asked.length, asked, 'it is not time for a trial')
  assert.equal(breakers.healthOf('llm', '0').state, 'down')
  servers[0].heal()
  await time.pass(5000)
  await until('the vendor is back', () => breakers.healthOf('llm', '0').state === 'ok')
  assert.ok(!servers[0].asked.some(({ body }) => body.includes('When?')), 'a trial says nothing of anybody')
  assert.equal((await replyOf(open())).text, SAID)
  assert.equal(events.findLast(({ type }) => type === 'served')?.type, 'served')
  breakers.close()
})

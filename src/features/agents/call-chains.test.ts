import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appError } from '../../base/errors/errors.ts'
import { createLog } from '../../base/process/log.ts'
import { createBreakers } from '../../failover/breakers.ts'
import type { Llm, Stt, Tts } from '../../voice/ports.ts'
import type { ChainChange } from '../calls/lifecycle-store.ts'
import { callProviders } from './call-chains.ts'
import type { Agent } from './schema.ts'
import { turnMetrics } from './turn-metrics.ts'

const never = new AbortController().signal
const link = (id: string) => ({ id, version: '1', name: `Account ${id}`, model: 'm' })
const model = (error: unknown): Llm => ({
  name: 'm',
  isModel: true,
  async *reply() {
    if (error) throw error
    yield { say: 'Hello.' }
  },
})
const stt: Stt = {
  name: 'stt',
  async *transcribe() {
    yield { text: 'Hi', isFinal: true }
  },
}
const tts: Tts = {
  name: 'tts',
  voices: async () => [],
  async *speak() {
    yield { pcm: new Int16Array(160), rateHz: 8000 }
  },
}

test('a call tells each change of a provider once, and its turns say who served them', async () => {
  const changes: ChainChange[] = []
  const metrics = turnMetrics()
  const refused = appError('service_key_refused', { service: 'a' })
  const providers = callProviders(
    {
      linksFor: async () => ({
        llm: [
          { ...link('a'), engine: model(refused) },
          { ...link('b'), engine: model(null) },
        ],
        stt: [{ ...link('embedded'), engine: stt }],
        tts: [{ ...link('embedded'), engine: { tts, voiceId: 'v', language: 'en' } }],
      }),
      breakers: createBreakers(),
      saveChainChange: async (_, change) => void changes.push(change),
      write: async (_, task) => task() as never,
      log: createLog('silent'),
    },
    { callId: 'cal_1', userId: 'usr_1' },
  )
  providers.onServed = metrics.served
  const chains = await providers.chainsFor({} as Agent)
  for (let i = 0; i < 3; i++) {
    const heard = chains.stt.transcribe((async function* () {})(), { language: 'en' }, never)
    for await (const { text } of heard)
      metrics.add({ type: 'utterance', who: 'caller', text, isCut: false, timing: null })
    let said = ''
    for await (const part of chains.llm.reply([], [], { language: 'en' }, never)) if ('say' in part) said += part.say
    await Array.fromAsync(chains.tts.say(said, never))
    metrics.add({ type: 'utterance', who: 'agent', text: said, isCut: false, timing: null })
  }
  await providers.end()
  const from = { kind: 'llm', providerId: 'a', name: 'Account a', model: 'm' }
  const to = { kind: 'llm', providerId: 'b', name: 'Account b', model: 'm' }
  assert.deepEqual(changes, [{ type: 'degraded', kind: 'llm', from, to, reason: 'key_refused' }])
  const embedded = { id: 'embedded', name: 'Account embedded', model: 'm' }
  const served = { stt: embedded, llm: { id: 'b', name: 'Account b', model: 'm' }, tts: embedded }
  assert.deepEqual(
    metrics.turns.map((turn) => turn.providers),
    [served, served, served],
  )
})

test('a phrase that no model wrote has none', () => {
  const metrics = turnMetrics()
  metrics.served({ type: 'served', kind: 'tts', providerId: 'x', name: 'X', model: null })
  metrics.add({ type: 'utterance', who: 'agent', text: 'Hello!', isCut: false, timing: null })
  assert.deepEqual(metrics.turns[0]?.providers, { stt: null, llm: null, tts: { id: 'x', name: 'X', model: null } })
})

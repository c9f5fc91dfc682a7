// Streaming recognition over real sockets in real time: a session with a chain of recognizers, the first of which is
// cut off in the middle of an utterance.
// @run real-time
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createBreakers } from '../../src/failover/breakers.ts'
import type { ChainEvent } from '../../src/failover/ports.ts'
import { sttChain } from '../../src/failover/stt-chain.ts'
import { deepgram } from '../../src/speech/stt/deepgram.ts'
import { openAiRealtime } from '../../src/speech/stt/openai-realtime.ts'
import { startDeepgram, words } from '../vendors/deepgram.ts'
import { startOpenAiRealtime } from '../vendors/openai-realtime.ts'
import { type Fault, KEY } from '../vendors/server.ts'
import { realTimeCall } from './real-time-call.ts'

/** A chain of two vendors, the first with a fault. */
async function setUp(fault?: Fault) {
  const [first, second] = [await startDeepgram(), await startOpenAiRealtime()]
  if (fault) first.fail(fault)
  const breakers = createBreakers()
  const events: ChainEvent[] = []
  const link = (id: string) => ({ id, version: '1', name: id, model: null })
  const links = [
    { ...link('first'), engine: deepgram({ apiKey: KEY, baseUrl: first.url }) },
    { ...link('second'), engine: openAiRealtime({ apiKey: KEY, baseUrl: `${second.url}/v1` }) },
  ]
  return {
    stt: sttChain({ links, breakers, onEvent: (event) => events.push(event) }),
    served: () => events.flatMap((event) => (event.type === 'served' ? [event.providerId] : [])),
    async stop() {
      breakers.close()
      await Promise.all([first.stop(), second.stop()])
    },
  }
}

describe('in real time', { concurrency: true }, () => {
  test('words come while they are spoken, and the final transcript soon after the end', async () => {
    const { stt, served, stop } = await setUp()
    const call = await realTimeCall({ stt, speechMs: [1500], pauseMs: 1500 })
    assert.equal(call.turns.length, 1)
    assert.ok(words.join(' ').startsWith(call.turns[0] as string) && (call.turns[0] as string).length > 15)
    assert.equal(call.spoken[0], 'bom')
    assert.ok(call.spoken.length >= 4, `${call.spoken}`)
    assert.deepEqual(served(), ['first'])
    assert.equal(call.streams.count, 1)
    // The speech plus the audio before and after it that VAD needs.
    assert.ok(call.streams.audioMs < 1500 + 700, `${call.streams.audioMs} ms`)
    await stop()
  })

  for (const fault of ['reset', 'unauthorized', 'silent', 'wrong', 'throttled'] satisfies Fault[])
    test(`a first vendor with the fault "${fault}" costs no word`, async () => {
      const { stt, served, stop } = await setUp(fault)
      const call = await realTimeCall({ stt, speechMs: [1500], pauseMs: 3000 })
      assert.equal(call.turns.length, 1)
      assert.ok((call.turns[0] as string).split(' ').length >= 5, call.turns[0])
      assert.deepEqual(served(), ['second'])
      assert.ok(!call.events.some(({ type }) => type === 'error'))
      await stop()
    })
})

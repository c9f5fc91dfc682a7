// Recognizers opened from accounts: which ones recognize while the caller speaks, and which connections they use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent } from 'undici'
import { azureSentence, startAzureStt } from '../../test/vendors/azure-stt.ts'
import { startDeepgram, words } from '../../test/vendors/deepgram.ts'
import { heard, startOpenAi } from '../../test/vendors/openai.ts'
import { realtimeSentence, startOpenAiRealtime } from '../../test/vendors/openai-realtime.ts'
import { KEY } from '../../test/vendors/server.ts'
import { listen, utterance } from '../../test/vendors/stt-cases.ts'
import { accountStt } from './registry.ts'

const vendors = [
  { vendor: 'deepgram', start: startDeepgram, path: '', isLive: true, expected: words.join(' ') },
  { vendor: 'openai-realtime', start: startOpenAiRealtime, path: '/v1', isLive: true, expected: realtimeSentence },
  { vendor: 'azure', start: startAzureStt, path: '', isLive: true, expected: azureSentence },
  { vendor: 'openai', start: startOpenAi, path: '/v1', isLive: false, expected: heard },
] as const

for (const { vendor, start, path, isLive, expected } of vendors)
  test(`an account of ${vendor} recognises ${isLive ? 'while the caller speaks' : 'an utterance at its end'}`, async () => {
    const server = await start()
    const dispatcher = new Agent()
    const settings = { vendor, apiKey: KEY, baseUrl: server.url + path, model: '', connections: { dispatcher } }
    const stt = accountStt(settings)
    assert.ok(stt)
    assert.equal(stt.isLive, isLive)
    const all = await listen(stt.transcribe(utterance(2.5), { language: 'pt-BR' }, new AbortController().signal))
    assert.equal(all.at(-1)?.text, expected)
    assert.equal(all.length > 1, isLive, 'partial transcripts')
    await dispatcher.destroy()
    await server.stop()
  })

test('there is no recogniser for another vendor', () => {
  const connections = { dispatcher: new Agent() }
  assert.equal(
    accountStt({ vendor: 'nobody', apiKey: KEY, baseUrl: 'http://x.test', model: '', connections }),
    undefined,
  )
})

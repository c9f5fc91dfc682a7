// What all streaming recognizers have in common, tested against Deepgram's protocol server.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startDeepgram } from '../../../test/vendors/deepgram.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { listen, utterance } from '../../../test/vendors/stt-cases.ts'
import { failureOf } from '../../../test/vendors/tts-cases.ts'
import { pcmBytes } from '../../audio/wav.ts'
import type { Audio, Transcript } from '../../voice/ports.ts'
import { type LiveProtocol, liveStt } from './live-protocol.ts'

const server = await startDeepgram()
after(() => server.stop())
const never = new AbortController().signal

/** A streaming recognizer for which every message means what `read` returns. */
const sttWith = (read: () => Transcript | null, more: Partial<LiveProtocol> = {}) =>
  liveStt({
    name: 'test',
    vendor: { name: 'Vendor', apiKey: KEY, baseUrl: server.url, headers: (key) => ({ authorization: `Token ${key}` }) },
    utterance: () => ({
      path: '/v1/listen?encoding=linear16&sample_rate=16000&model=m&interim_results=true',
      audio: (pcm) => [pcmBytes(pcm)],
      end: () => ['{"type":"Finalize"}', '{"type":"CloseStream"}'],
      read,
    }),
    ...more,
  })
const hear = (stt: ReturnType<typeof sttWith>, audio: Audio = utterance(1)) =>
  listen(stt.transcribe(audio, { language: 'pt-BR' }, never))

test('a vendor that writes without end is given up', async () => {
  let messages = 0
  const endless = sttWith(() => ({ text: 'x'.repeat(6000 * ++messages), isFinal: false }))
  assert.match((await failureOf(hear(endless))).message, /did not come to an end/)
})

test('a vendor that closes without a final transcript has broken off', async () => {
  const mute = sttWith(() => null)
  assert.match((await failureOf(hear(mute))).message, /broke off/)
})

test('audio that is there already leaves no faster than the vendor takes it', async () => {
  const final: Transcript = { text: 'x', isFinal: true }
  const paced = sttWith(() => final, { pace: { freeMs: 200, factor: 5 } })
  async function* whole(): Audio {
    yield { pcm: new Int16Array(16_000), rateHz: 16_000 }
  }
  const from = performance.now()
  await hear(paced, whole())
  const tookMs = performance.now() - from
  assert.ok(tookMs >= 120, `${tookMs} ms for 800 ms of audio, five times as fast`)
})

test('audio that changes its rate is refused', async () => {
  async function* changing(): Audio {
    yield* utterance(0.2, 16_000)
    yield* utterance(0.2, 8_000)
  }
  assert.equal(
    (
      await failureOf(
        hear(
          sttWith(() => null),
          changing(),
        ),
      )
    ).status,
    400,
  )
})

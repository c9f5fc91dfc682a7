import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AudioFrame, Tts } from '../voice/ports.ts'
import { defaultVoice, embeddedVoices, uuidOf } from './catalogue.ts'
import { embeddedVoice, type NaturalVoice } from './embedded.ts'
import { withUuids } from './voice-uuids.ts'

/** A fake engine whose frames carry its name. */
const engine = (name: string, fail?: 'at once' | 'half-way'): Tts => ({
  name,
  voices: async () => [],
  async *speak(text, options) {
    if (fail === 'at once') throw new Error('broken')
    yield { pcm: new Int16Array(1), rateHz: 24_000, words: `${name}:${options.voiceId}:${text}` }
    if (fail === 'half-way') throw new Error('broken')
  },
})

function parts(natural: Tts | undefined, hasRoom = true, patienceMs?: number) {
  const degraded: string[] = []
  const tts = embeddedVoice({
    natural: () =>
      natural && ({ ...natural, knows: (text) => text === 'said before', hasRoom: () => hasRoom } as NaturalVoice),
    small: async () => engine('small'),
    onDegraded: (reason) => degraded.push(reason),
    patienceMs,
  })
  return { tts, degraded }
}

async function said(tts: Tts, voiceId = 'pf_dora', text = 'olá'): Promise<string[]> {
  const frames: AudioFrame[] = []
  for await (const frame of tts.speak(text, { voiceId }, new AbortController().signal)) frames.push(frame)
  return frames.map((frame) => frame.words?.split(':')[0] ?? '')
}

test('the natural voice speaks when it is ready and has capacity', async () => {
  const { tts, degraded } = parts(engine('natural'))
  assert.deepEqual([await said(tts), degraded], [['natural'], []])
})

test('the fallback voice speaks while the natural one is being prepared, is full, or fails before its first audio', async () => {
  for (const [natural, hasRoom, reason] of [
    [undefined, true, /not ready/],
    [engine('natural'), false, /busy/],
    [engine('natural', 'at once'), true, /failed/],
  ] as const) {
    const { tts, degraded } = parts(natural, hasRoom)
    assert.deepEqual(await said(tts), ['small'])
    assert.match(degraded[0] ?? '', reason)
  }
})

test('a natural voice that exceeds the first-audio timeout is replaced by the fallback; once it has started it is not', async () => {
  let isAborted = false
  const slow = (before: boolean): Tts => ({
    ...engine('natural'),
    async *speak(_text, _options, signal) {
      if (!before) yield { pcm: new Int16Array(1), rateHz: 24_000, words: 'natural' }
      await new Promise<void>((resolve) => {
        if (before) signal.addEventListener('abort', () => resolve(), { once: true })
        else setTimeout(resolve, 60)
      })
      isAborted = signal.aborted
    },
  })
  for (const [before, expected] of [
    [true, 'small'],
    [false, 'natural'],
  ] as const) {
    const { tts, degraded } = parts(slow(before), true, 20)
    assert.deepEqual(await said(tts), [expected])
    assert.equal(isAborted, before)
    assert.equal(degraded.length, before ? 1 : 0)
  }
})

test('a cached phrase is played in the natural voice under any load', async () => {
  const { tts } = parts(engine('natural'), false)
  assert.deepEqual(await said(tts, 'pf_dora', 'said before'), ['natural'])
})

test('without a fallback voice, a vendor with a key speaks in a voice of the same language', async () => {
  const voice = { id: 'vendor-pt', name: 'V', language: 'pt-BR', gender: null, description: null }
  const vendor = { ...engine('vendor'), voices: async () => [{ ...voice, id: 'vendor-en', language: 'en-US' }, voice] }
  const tts = embeddedVoice({ natural: () => undefined, small: async () => undefined, vendor, onDegraded: () => {} })
  const frames: AudioFrame[] = []
  for await (const frame of tts.speak('oi', { voiceId: 'pf_dora' }, new AbortController().signal)) frames.push(frame)
  assert.equal(frames[0]?.words, 'vendor:vendor-pt:oi')
})

test('a failure after the first audio is an error, not a change of voice in mid-sentence', async () => {
  const { tts } = parts(engine('natural', 'half-way'))
  await assert.rejects(said(tts), /broken/)
})

test("numbers are normalised to words, and the agent's pronunciation list is applied", async () => {
  const heard: string[] = []
  const natural = {
    ...engine('natural'),
    async *speak(text: string) {
      heard.push(text)
      yield* [] as AudioFrame[]
    },
  }
  const { tts } = parts(natural)
  const options = { voiceId: 'pf_dora', pronunciation: [{ from: 'Ramal', to: 'ramau' }] }
  for await (const _ of tts.speak('Ligue para o Ramal 12.', options, new AbortController().signal));
  assert.deepEqual(heard, ['Ligue para o ramau doze.'])
})

test('an unknown voice is a 404 before any audio', async () => {
  await assert.rejects(said(parts(engine('natural')).tts, 'nobody'), { status: 404 })
})

test('without any engine the answer is a 503 with the reason', async () => {
  const tts = embeddedVoice({ natural: () => undefined, small: async () => undefined, onDegraded: () => {} })
  await assert.rejects(said(tts), { status: 503 })
})

test('every language has several voices and a default', () => {
  for (const language of ['pt', 'en', 'es'])
    assert.ok(embeddedVoices.filter((voice) => voice.language.startsWith(language)).length >= 3)
  assert.equal(defaultVoice('pt-BR').id, 'pf_dora')
  assert.equal(defaultVoice('en').language, 'en-US')
  assert.equal(defaultVoice('xx').id, 'pf_dora')
})

test('provider_c has a stable UUID for each of the same voices, and no others', async () => {
  const { tts } = parts(engine('natural'))
  const voices = await withUuids({ ...tts, voices: tts.voices }).voices(new AbortController().signal)
  const ids = voices.map((voice) => voice.id)
  assert.equal(new Set(ids).size, embeddedVoices.length)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(await said(withUuids(tts), uuidOf('pf_dora').toUpperCase()), ['natural'])
  await assert.rejects(said(withUuids(tts), uuidOf('nobody')), { status: 404 })
})

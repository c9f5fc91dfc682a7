import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AudioFrame, Tts } from '../voice/ports.ts'
import { defaultVoice, embeddedVoices, uuidOf } from './catalog.ts'
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

/** Replies with a fake natural voice; `late` decides for each text whether it misses its deadline. */
function replies(late: () => boolean) {
  const seen: string[] = []
  const state = { isInTime: true, hasRoom: true, trials: 0 }
  const natural: NaturalVoice = {
    ...engine('natural'),
    knows: (text) => text === 'um momento',
    hasRoom: () => state.hasRoom,
    async *speak(_text, _options, signal) {
      if (late())
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      else yield { pcm: new Int16Array(1), rateHz: 24_000, words: 'natural' }
    },
  }
  const firstSound = {
    deadlineMs: 5,
    get isInTime() {
      return state.isInTime
    },
    came: () => void seen.push('came'),
    missed: () => void seen.push('missed'),
    takeTrial: () => ++state.trials > 0,
  }
  const tts = embeddedVoice({
    natural: () => natural,
    small: async () => engine('small'),
    onDegraded: () => {},
    firstSound,
    patienceMs: 20,
  })
  const say = async (reply?: object, text = 'olá') => {
    const spoken: string[] = []
    const options = { voiceId: 'pf_dora', ...(reply ? { reply } : {}) }
    for await (const frame of tts.speak(text, options, new AbortController().signal))
      spoken.push(frame.words?.split(':')[0] ?? '')
    return spoken.join()
  }
  return { say, seen, state }
}

test('a reply whose first sound is late is spoken by the small voice, to its end', async () => {
  let isLate = true
  const { say, seen } = replies(() => isLate)
  const reply = {}
  assert.equal(await say(reply), 'small')
  isLate = false
  assert.equal(await say(reply), 'small', 'the second sentence keeps the voice')
  assert.equal(await say(reply, 'um momento'), 'small', 'so does a cached one')
  assert.equal(await say({}), 'natural', 'the next reply')
  assert.deepEqual(seen, ['missed', 'came'])
})

test('sentences that are asked for ahead get the voice of the first one', async () => {
  const asked = [true, false]
  const late = replies(() => asked.shift() ?? false)
  const reply = {}
  assert.deepEqual(await Promise.all([late.say(reply), late.say(reply), late.say(reply)]), ['small', 'small', 'small'])
  assert.deepEqual(late.seen, ['missed'])
  const inTime = replies(() => false)
  assert.deepEqual(await Promise.all([inTime.say(reply), inTime.say(reply)]), ['natural', 'natural'])
  assert.deepEqual(inTime.seen, ['came'])
})

test('a natural reply stays natural when no other one would be admitted', async () => {
  const { say, state } = replies(() => false)
  const reply = {}
  assert.equal(await say(reply), 'natural')
  state.hasRoom = false
  assert.deepEqual([await say(reply), await say({})], ['natural', 'small'])
})

test('a cached filler chooses no voice: what follows it still has a deadline', async () => {
  let isLate = false
  const { say, seen } = replies(() => isLate)
  const reply = {}
  assert.equal(await say(reply, 'um momento'), 'natural')
  isLate = true
  assert.equal(await say(reply), 'small')
  assert.deepEqual(seen, ['missed'])
})

test('while the natural voice is late, the small one begins at once and the natural one is tried beside it', async () => {
  const { say, seen, state } = replies(() => false)
  state.isInTime = false
  assert.equal(await say({}), 'small')
  assert.deepEqual([state.trials, seen], [1, ['came']])
})

test('a later sentence of a natural reply, and speech that is no reply, have the longer time', async () => {
  let isLate = false
  const { say, seen } = replies(() => isLate)
  const reply = {}
  assert.equal(await say(reply), 'natural')
  isLate = true
  assert.equal(await say(reply), 'small')
  assert.equal(await say(), 'small')
  assert.deepEqual(seen, ['came'], 'only the first sentence has a deadline')
})

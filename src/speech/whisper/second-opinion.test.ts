// Which turns the larger model hears again, when its words are taken, and when nobody waits for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frames } from '../../../test/sounds.ts'
import { ManualClock } from '../../../test/voice/manual-clock.ts'
import { raceAbort } from '../../base/concurrency/abort.ts'
import type { SttOptions, Transcript } from '../../voice/ports.ts'
import { withSecondOpinion } from './second-opinion.ts'
import type { WhisperStt } from './whisper.ts'

const never = new AbortController().signal
const CLEAR = 0.9
const GUESSED = 0.3

type Answer = Partial<Transcript> | Error

/** Answers after `tookMs` of virtual time. */
function engine(clock: ManualClock, answer: Answer, tookMs = 0) {
  const state = { begun: 0, aborted: 0, isClosed: false, tookMs }
  const stt: WhisperStt = {
    name: 'whisper',
    lastMs: 0,
    async *transcribe(audio, _options, signal) {
      for await (const _ of audio);
      state.begun++
      if (state.tookMs > 0) await raceAbort(signal, clock.sleep(state.tookMs, signal), () => {})
      if (signal.aborted) {
        state.aborted++
        return
      }
      if (answer instanceof Error) throw answer
      yield { text: '', isFinal: true, ...answer }
    },
    close: async () => {
      state.isClosed = true
    },
  }
  return { stt, state }
}

type Setup = { first: Answer; second: Answer; firstMs?: number; secondMs?: number; cores?: number }

async function both({ first, second, firstMs, secondMs, cores = 2 }: Setup) {
  const clock = new ManualClock()
  const usual = engine(clock, first, firstMs)
  const larger = engine(clock, second, secondMs)
  const stt = withSecondOpinion({ first: usual.stt, second: Promise.resolve(larger.stt), clock, cores })
  await clock.pass(0)
  async function textOf({ seconds = 2, signal = never, ...options }: Partial<SttOptions> & TurnOptions = {}) {
    let last: Transcript | undefined
    const audio = frames(new Int16Array(seconds * 8000), 8000)
    for await (const heard of stt.transcribe(audio, { language: 'pt-BR', ...options }, signal)) last = heard
    return last?.text
  }
  return { clock, stt, usual: usual.state, larger: larger.state, textOf }
}
type TurnOptions = { seconds?: number; signal?: AbortSignal }

const guess = { text: 'qual é o interesse', confidence: GUESSED }
const sure = { text: 'qual é o endereço', confidence: CLEAR }

test('an unclear turn is heard again, and the words that are more certain are taken', async () => {
  const { textOf, larger } = await both({ first: guess, second: sure })
  assert.equal(await textOf(), sure.text)
  const marked = await both({ first: { text: 'sim', confidence: CLEAR, isUnclear: true }, second: sure })
  await marked.textOf()
  const unheard = await both({ first: { text: '', hasSpeech: true }, second: sure })
  assert.equal(await unheard.textOf(), sure.text, 'speech without words')
  assert.deepEqual([larger.begun, marked.larger.begun], [1, 1])
})

test('a clear turn and silence are heard once', async () => {
  for (const first of [sure, { text: '', hasSpeech: false }]) {
    const { textOf, larger } = await both({ first, second: { text: 'Obrigado.', confidence: 0.95 } })
    assert.equal(await textOf(), first.text)
    assert.equal(larger.begun, 0)
  }
})

test('a short turn and no audio are heard once', async () => {
  const { textOf, larger } = await both({ first: guess, second: sure })
  for (const seconds of [1.2, 0]) assert.equal(await textOf({ seconds }), guess.text)
  assert.equal(larger.begun, 0)
  assert.equal(await textOf({ seconds: 1.3 }), sure.text)
})

test('words that the larger model is less certain of, no words, and a failure leave the first ones', async () => {
  for (const second of [{ text: 'o interessante', confidence: 0.2 }, { text: '' }, new Error('broken')]) {
    const { textOf, larger } = await both({ first: guess, second })
    assert.deepEqual([await textOf(), larger.begun], [guess.text, 1])
  }
})

test('with many cores both hear every turn at the same time', async () => {
  const setup = { first: { text: 'dois', confidence: 0.8 }, second: sure, firstMs: 200, secondMs: 300 }
  const { clock, larger, textOf } = await both({ ...setup, cores: 8 })
  const heard = textOf()
  await clock.pass(0)
  assert.equal(larger.begun, 1)
  await clock.pass(300)
  assert.equal(await heard, sure.text)
})

test('the second hearing is given up after a second, and is not tried for a minute', async () => {
  const { clock, larger, textOf } = await both({ first: guess, second: sure, secondMs: 5000 })
  const heard = textOf()
  let isOver = false
  void heard.finally(() => {
    isOver = true
  })
  await clock.pass(999)
  assert.equal(isOver, false)
  await clock.pass(1)
  assert.equal(await heard, guess.text)
  assert.equal(larger.aborted, 1)
  larger.tookMs = 0
  await clock.pass(59_000)
  assert.equal(await textOf(), guess.text)
  await clock.pass(1000)
  assert.equal(await textOf(), sure.text)
})

test('a turn that would take too long at the measured pace is heard once', async () => {
  const { clock, larger, textOf } = await both({ first: guess, second: sure, secondMs: 500 })
  const heard = textOf({ seconds: 2 })
  await clock.pass(500)
  assert.equal(await heard, sure.text)
  assert.equal(await textOf({ seconds: 8 }), guess.text, '1100 ms')
  const shorter = textOf({ seconds: 3 })
  await clock.pass(600)
  assert.equal(await shorter, sure.text)
  assert.equal(larger.begun, 2)
})

test('another utterance stops the second hearing at once', async () => {
  const { clock, larger, textOf } = await both({ first: guess, second: sure, firstMs: 100, secondMs: 300 })
  const heard = textOf()
  await clock.pass(200)
  assert.deepEqual([larger.begun, larger.aborted], [1, 0])
  const other = textOf()
  await clock.pass(0)
  assert.equal(await heard, guess.text)
  assert.equal(larger.aborted, 1)
  await clock.pass(400)
  assert.equal(await other, sure.text, 'the last one has time again, at once')
})

test('while the first engine has another utterance, nothing is heard again', async () => {
  for (const cores of [2, 8]) {
    const { clock, usual, larger, textOf } = await both({ first: guess, second: sure, firstMs: 100, cores })
    usual.tookMs = 1000
    const long = textOf({ isUrgent: true })
    await clock.pass(0)
    usual.tookMs = 100
    const heard = textOf()
    await clock.pass(100)
    assert.deepEqual([await heard, larger.begun], [guess.text, 0])
    await clock.pass(900)
    await long
  }
})

test('with many cores too, one utterance is heard again at a time', async () => {
  const { clock, larger, textOf } = await both({ first: guess, second: sure, secondMs: 300, cores: 16 })
  const all = Promise.all([textOf(), textOf()])
  await clock.pass(100)
  assert.equal(await textOf(), guess.text, 'the first engine is free, the larger one is not')
  await clock.pass(200)
  assert.deepEqual(await all, [sure.text, guess.text])
  assert.deepEqual([larger.begun, larger.aborted], [1, 0])
})

test('speech over the agent is heard once', async () => {
  for (const cores of [2, 8]) {
    const { larger, textOf } = await both({ first: guess, second: sure, cores })
    assert.deepEqual([await textOf({ isUrgent: true }), larger.begun], [guess.text, 0])
  }
})

test('an abort reaches the larger model, and nothing is told', async () => {
  const stop = new AbortController()
  const { clock, larger, textOf } = await both({ first: guess, second: sure, secondMs: 300 })
  const heard = textOf({ signal: stop.signal })
  await clock.pass(100)
  stop.abort()
  assert.equal(await heard, undefined)
  assert.deepEqual([larger.begun, larger.aborted], [1, 1])
  larger.tookMs = 0
  assert.equal(await textOf(), sure.text, 'an abort is not taken for slowness')
})

test('a failure of the first engine is a failure', async () => {
  const { textOf } = await both({ first: new Error('broken'), second: sure, cores: 8 })
  await assert.rejects(textOf(), /broken/)
})

test('both are closed, the larger one also while it is being loaded', async () => {
  const clock = new ManualClock()
  const [usual, larger] = [engine(clock, sure), engine(clock, sure)]
  const opened = Promise.withResolvers<WhisperStt>()
  const stt = withSecondOpinion({ first: usual.stt, second: opened.promise, clock, cores: 2 })
  const closed = stt.close()
  opened.resolve(larger.stt)
  await closed
  assert.deepEqual([usual.state.isClosed, larger.state.isClosed], [true, true])
})

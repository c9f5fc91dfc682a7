// VAD with the real model: speech is detected, noise is not, and batched streams do not affect each other.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MessagePort } from 'node:worker_threads'
import { robotSpeech, sounds } from '../../../test/sounds.ts'
import { workersOf } from '../../../test/speech/workers.ts'
import { until } from '../../../test/until.ts'
import { joinPcm } from '../../audio/pcm.ts'
import { resample } from '../../audio/resample.ts'
import { VadClient } from '../../voice/listening/vad-client.ts'
import { advance, initialVadState, type VadEvent } from '../../voice/listening/vad-segmenter.ts'
import type { FromVad, ToVad } from '../../voice/listening/vad-steps.ts'
import { openSilero, type SileroVad } from './silero.ts'
import { roundsOf } from './silero-worker.ts'

let vad: SileroVad
let speech: Int16Array
before(async () => {
  vad = await openSilero()
  speech = await robotSpeech('Good morning. I would like to know when my order will arrive.', 'en-us', 16000)
})
after(() => vad.close())

const rates = [8000, 16000] as const
const quiet = (rateHz: number, seconds: number) => new Int16Array(rateHz * seconds)

async function probabilities(pcm: Int16Array, rateHz: 8000 | 16000): Promise<readonly number[]> {
  const stream = vad.open(rateHz)
  const values = await stream.push(pcm)
  stream.close()
  return values
}

function events(values: readonly number[]): VadEvent[] {
  let state = initialVadState
  return values.flatMap((value) => {
    const next = advance(state, value)
    state = next.state
    return next.event ? [next.event] : []
  })
}

test('speech is detected where it is, at both sample rates', async () => {
  for (const rateHz of rates) {
    const said = resample(speech, 16000, rateHz)
    const clip = joinPcm([quiet(rateHz, 1), said, quiet(rateHz, 1)])
    const found = events(await probabilities(clip, rateHz))
    const [start, end] = [found[0], found.at(-1)]
    assert.ok(start?.type === 'start' && end?.type === 'end', `${rateHz} Hz: ${JSON.stringify(found)}`)
    assert.ok(start.fromMs >= 600 && start.fromMs <= 1300, `begins at ${start.fromMs}`)
    const endMs = 1000 + (said.length * 1000) / rateHz
    assert.ok(Math.abs(end.toMs - endMs) < 400, `ends at ${end.toMs}, not ${endMs}`)
  }
})

test('noise, hum, tones and music are not speech', async () => {
  for (const rateHz of rates)
    for (const [name, sound] of Object.entries(sounds)) {
      const found = events(await probabilities(sound(rateHz, 4), rateHz))
      assert.deepEqual(found, [], `${name} at ${rateHz} Hz`)
    }
})

test('batched streams give the same results as single ones', async () => {
  const clips = [8000, 16000, 8000, 8000, 16000, 8000].map((rateHz, i) => {
    const said = resample(speech, 16000, rateHz)
    return { rateHz: rateHz as 8000 | 16000, pcm: said.subarray(i * 400, i * 400 + rateHz) }
  })
  const alone: (readonly number[])[] = []
  for (const { pcm, rateHz } of clips) alone.push(await probabilities(pcm, rateHz))
  const together = await Promise.all(
    clips.map(async ({ pcm, rateHz }) => {
      const stream = vad.open(rateHz)
      const values: number[] = []
      for (let at = 0; at < pcm.length; at += rateHz / 50)
        values.push(...(await stream.push(pcm.subarray(at, at + rateHz / 50))))
      stream.close()
      return values
    }),
  )
  together.forEach((values, i) => {
    assert.equal(values.length, alone[i]?.length)
    for (const [k, value] of values.entries())
      assert.ok(Math.abs(value - (alone[i]?.[k] as number)) < 0.01, `stream ${i}, step ${k}`)
  })
})

test('a frame that completes no step resolves at once with no result', async () => {
  const stream = vad.open(8000)
  assert.deepEqual(await stream.push(new Int16Array(160)), [])
  assert.equal((await stream.push(new Int16Array(160))).length, 1)
  stream.close()
  await assert.rejects(stream.push(new Int16Array(160)), /closed/)
})

test('closing a stream resolves its pending push', async () => {
  const stream = vad.open(8000)
  const waiting = stream.push(new Int16Array(2560))
  stream.close()
  assert.deepEqual(await waiting, [])
})

test('overload is refused and does not fill the memory', async () => {
  const stream = vad.open(8000)
  await assert.rejects(stream.push(new Int16Array(256 * 10_001)), /does not keep up/)
  stream.close()
})

test('no stream occurs twice in one run', () => {
  assert.deepEqual(roundsOf(Uint32Array.of(7, 8, 7, 7, 9)), [[0, 1, 4], [2], [3]])
})

test('close waits for the run, and later steps are refused', async () => {
  const other = await openSilero()
  const stream = other.open(16000)
  const waiting = stream.push(speech.slice(0, 16000))
  await new Promise(setImmediate)
  await other.close()
  assert.deepEqual(await waiting, [])
  await assert.rejects(stream.push(new Int16Array(512)), /closed/)
})

test('a thread that dies is replaced, and open streams go on', async () => {
  const { opened, workers } = await workersOf(openSilero)
  const stream = opened.open(16000)
  assert.equal((await stream.push(new Int16Array(512))).length, 1)
  await workers[0]?.terminate()
  const values = await stream.push(speech)
  assert.ok(values.filter((value) => value > 0.5).length > 20, `${values.length} steps`)
  await opened.close()
})

test('a thread that dies during inference ends no stream: lost steps repeat the last probability, and the fault is reported', async () => {
  const told: unknown[] = []
  const { opened, workers } = await workersOf(() => openSilero(undefined, (error) => told.push(error)))
  const [worker] = workers
  assert.ok(worker)
  const [one, other] = [opened.open(16000), opened.open(8000)]
  const before = await one.push(speech.subarray(0, 512 * 40))
  // The thread ends before this batch reaches it.
  worker.postMessage = () => void worker.terminate()
  const [lost, waited] = await Promise.all([one.push(speech), other.push(speech.subarray(0, speech.length / 4))])
  const after = await one.push(speech)
  await opened.close()
  assert.deepEqual(new Set(lost), new Set(before.slice(-1)), 'the batch in flight')
  assert.equal(lost.length, Math.floor(speech.length / 512))
  for (const computed of [waited, after]) assert.ok(computed.filter((value) => value > 0.5).length > 10)
  assert.equal(told.length, 1)
})

test('a thread that cannot run the model at all is reported as a failure after a few batches', async () => {
  const told: unknown[] = []
  const { opened, workers } = await workersOf(() => openSilero(undefined, (error) => told.push(error)))
  const [worker] = workers
  assert.ok(worker)
  const post = worker.postMessage.bind(worker)
  // A sample rate that the model does not have.
  worker.postMessage = (message: ToVad) => post(message.do === 'steps' ? { ...message, rateHz: 1 as never } : message)
  const stream = opened.open(16000)
  for (let i = 0; i < 3; i++) assert.deepEqual(await stream.push(new Int16Array(512)), [0])
  await assert.rejects(stream.push(new Int16Array(512).fill(9)), /Voice activity stopped/)
  assert.equal(told.length, 4)
  worker.postMessage = post
  await opened.close()
})

/**
 * As in a call: frames of 20 ms, each pushed after the previous result. Pushed all at once, every step would be
 * computed.
 */
async function inFrames(pcm: Int16Array, rateHz: 8000 | 16000): Promise<readonly number[]> {
  const stream = vad.open(rateHz)
  const values: number[] = []
  const size = rateHz / 50
  for (let at = 0; at < pcm.length; at += size) values.push(...(await stream.push(pcm.subarray(at, at + size))))
  stream.close()
  return values
}

const mixed = (a: Int16Array, b: Int16Array, gain: number) =>
  a.map((sample, i) => Math.max(-32768, Math.min(32767, sample + Math.round((b[i % b.length] ?? 0) * gain))))

test('a silent line, or one with noise only, is hardly computed', async () => {
  const most = { silence: 9, 'line noise': 40, hum: 40 }
  for (const [name, steps] of Object.entries(most)) {
    const values = await inFrames(sounds[name]?.(8000, 8) as Int16Array, 8000)
    assert.equal(values.length, 250)
    const told = new Set(values).size
    assert.ok(told <= steps, `${name}: ${told} steps of ${values.length} were computed`)
  }
})

const lines: [rateHz: 8000 | 16000, noise: string, gain: number][] = [
  ...[0.3, 1].flatMap((gain): typeof lines => [
    [8000, 'line noise', gain],
    [8000, 'hum', gain],
    [16000, 'hum', gain],
  ]),
  [8000, 'silence', 1],
  [8000, 'white noise', 0.1],
  [8000, 'white noise', 1],
  [16000, 'white noise', 0.1],
]

test('speech after steady noise, near it and within it, is detected as if every step were computed', async () => {
  for (const [rateHz, name, gain] of lines) {
    const said = resample(speech, 16000, rateHz)
    const clip = joinPcm([quiet(rateHz, 2), said, quiet(rateHz, 2), said.map((sample) => sample / 8), quiet(rateHz, 1)])
    const heard = mixed(clip, sounds[name]?.(rateHz, 3) as Int16Array, gain)
    const [some, all] = [events(await inFrames(heard, rateHz)), events(await probabilities(heard, rateHz))]
    const tells = `${name} x ${gain} at ${rateHz} Hz: ${JSON.stringify(some)}, not ${JSON.stringify(all)}`
    assert.ok(some.length >= 2 && some.length === all.length, tells)
    for (const [i, { type, atMs }] of some.entries())
      assert.ok(type === all[i]?.type && Math.abs(atMs - all[i].atMs) <= 64, tells)
  }
})

test('another thread talks to the engine by a port of its own, and gets a new one when the engine was replaced', async (t) => {
  const { opened, workers } = await workersOf(openSilero)
  const client = new VadClient(() => {})
  const values: number[] = []
  const ports: MessagePort[] = []
  const stopped: unknown[] = []
  t.after(async () => {
    await opened.close()
    for (const port of ports) port.close()
  })
  const connection = opened.connect?.({
    onPort(port) {
      ports.push(port)
      port.on('message', (message: FromVad) => client.answered(message))
      client.connect(port)
    },
    onStopped: (error) => void stopped.push(error),
  })
  const track = client.open(16000, { onProbability: (value) => void values.push(value), onFailed: assert.fail })
  // A local stream with the same number does not share its state.
  const own = opened.open(16000)
  const steps = track.push(speech)
  client.flush()
  const direct = await own.push(speech)
  await until('the probabilities', () => values.length === steps)
  for (const [i, value] of values.entries()) assert.ok(Math.abs(value - (direct[i] as number)) < 0.01, `step ${i}`)
  await workers[0]?.terminate()
  await until('another port', () => ports.length === 2)
  values.length = 0
  const more = track.push(speech)
  client.flush()
  await until('the probabilities again', () => values.length === more)
  assert.ok(values.filter((value) => value > 0.5).length > 20)
  assert.deepEqual(stopped, [])
  connection?.close()
})

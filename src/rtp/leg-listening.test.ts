// Speech tracking in the media thread: what reaches the main thread, over real sockets and with a fake engine.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { lineOf, testMedia } from '../../test/rtp-call.ts'
import { tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import { joinPcm } from '../audio/pcm.ts'
import { type FromVad, stepSamples, type ToVad } from '../voice/listening/vad-steps.ts'
import type { HeardAudio, ListenEvent, ListenSink, Vad, VadConnectionEvents } from '../voice/ports.ts'
import type { Media } from './leg.ts'

let media: Media
before(async () => {
  media = await testMedia()
})
after(() => media.close())

/** An engine on this thread that treats everything loud as speech. */
function loudnessVad() {
  const connections = new Set<VadConnectionEvents>()
  const ports: MessagePort[] = []
  const faults: unknown[] = []
  function newPort(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    ports.push(port1)
    port1.on('message', (message: ToVad) => {
      if (message.do !== 'steps') return
      const { count, rateHz, streams, pcm } = message
      const size = stepSamples(rateHz)
      const isLoud = (i: number) => pcm.subarray(i * size, (i + 1) * size).some((sample) => Math.abs(sample) > 1000)
      const values = Float32Array.from({ length: count }, (_, i) => (isLoud(i) ? 0.9 : 0.02))
      port1.postMessage({ type: 'probabilities', values, streams, pcm } satisfies FromVad)
    })
    return port2
  }
  const vad: Vad = {
    open: () => assert.fail('VAD runs in the media thread'),
    connect(events) {
      connections.add(events)
      events.onPort(newPort())
      return { fault: (error) => void faults.push(error), close: () => void connections.delete(events) }
    },
  }
  return {
    vad,
    faults,
    connections,
    dies: () => ports.pop()?.close(),
    comesBack: () => connections.forEach((events) => void events.onPort(newPort())),
    stops: () => connections.forEach((events) => void events.onStopped(new Error('no thread'))),
    close: () => ports.splice(0).forEach((port) => void port.close()),
  }
}

function listener() {
  const runs: HeardAudio[] = []
  const events: ListenEvent[] = []
  const sink: ListenSink = {
    onAudio: (run) => void runs.push({ ...run, pcm: run.pcm.slice() }),
    onEvent: (event) => void events.push(event),
  }
  const speech = () => events.flatMap((event) => (event.type === 'speech' ? [event.change.isSpeaking] : []))
  return { sink, runs, events, speech }
}

const isBeep = (event: ListenEvent) => event.type === 'tone' && event.tone === 'beep'
const options = (vad: Vad, hasAmd = false) => ({ vad, keepMs: 0, needsSilence: false, hasAmd })
const quiet = (ms: number) => new Int16Array(8 * ms)

test('speech arrives as events with its audio, in order and without a gap; silence does not arrive', async (t) => {
  await using line = await lineOf(media)
  const engine = loudnessVad()
  t.after(engine.close)
  const { sink, runs, events, speech } = listener()
  const listening = line.leg.listen(options(engine.vad), sink)
  assert.ok(listening)
  const { done } = line.peer.speak(line.leg.port, joinPcm([quiet(1500), tone(300, 800), quiet(1500)]))
  await until('the end of speech', () => speech().length === 2)
  assert.deepEqual(speech(), [true, false])
  const [first] = runs
  assert.ok(first)
  for (const [i, run] of runs.entries()) {
    const before = runs[i - 1]
    if (before) assert.equal(run.fromMs, before.fromMs + before.pcm.length / 8, 'no gap')
  }
  const loud = joinPcm(runs.map(({ pcm }) => pcm)).filter((sample) => Math.abs(sample) > 1000).length
  assert.ok(loud > 0.5 * 800 * 8, `${loud} samples of the tone`)
  assert.ok(first.fromMs > 100, 'nothing of the silence a second before')
  listening.release(1)
  await done
  const crossed = runs.length
  await line.peer.speak(line.leg.port, quiet(1000)).done
  assert.ok(runs.length - crossed <= 4, 'and nothing of it came here after the release')
  assert.ok(events.some(({ type }) => type === 'pause'))
})

test('a listener first gets the backlog; a new listener takes over, and the old one ends', async (t) => {
  await using line = await lineOf(media)
  const engine = loudnessVad()
  t.after(engine.close)
  const { leg, peer } = line
  const talking = peer.speak(leg.port, joinPcm([tone(300, 600), quiet(600)]))
  await talking.done
  const one = listener()
  const first = leg.listen(options(engine.vad), one.sink)
  await until('speech of the past', () => one.speech().length === 2)
  const other = listener()
  const second = leg.listen(options(engine.vad), other.sink)
  await first?.ended
  peer.speak(leg.port, joinPcm([tone(300, 600), quiet(600)]))
  await until('speech of now', () => other.speech().length === 2)
  assert.equal(one.speech().length, 2)
  leg.stopListening()
  await second?.ended
})

test('an engine that dies and comes back ends nothing; one that cannot be restarted ends the listening', async (t) => {
  await using line = await lineOf(media)
  const engine = loudnessVad()
  t.after(engine.close)
  const { sink, speech } = listener()
  const listening = line.leg.listen(options(engine.vad), sink)
  const ended = assert.rejects(async () => listening?.ended, /Voice activity stopped/)
  line.peer.speak(line.leg.port, joinPcm([tone(300, 300), quiet(300)]), { loop: true })
  await until('speech', () => speech().length >= 2)
  engine.dies()
  engine.comesBack()
  const before = speech().length
  await until('speech again', () => speech().length >= before + 2)
  engine.dies()
  // Repeated, because a step may start to wait for the engine before or after it stops.
  const stopping = setInterval(engine.stops, 50)
  t.after(() => clearInterval(stopping))
  await ended
})

test('tones and time are reported with answering-machine detection, until the time does not matter', async (t) => {
  await using line = await lineOf(media)
  const engine = loudnessVad()
  t.after(engine.close)
  const { sink, events } = listener()
  const listening = line.leg.listen(options(engine.vad, true), sink)
  line.peer.speak(line.leg.port, joinPcm([quiet(300), tone(1000, 500), quiet(500)]), { loop: true })
  await until('the tone', () => events.some(isBeep))
  const times = () => events.filter(({ type }) => type === 'time').length
  assert.ok(times() > 20)
  listening?.stopTime()
  const beeps = () => events.filter(isBeep).length
  const before = beeps()
  await until('another tone', () => beeps() > before)
  const then = times()
  await until('and another', () => beeps() > before + 1)
  assert.equal(times(), then)
})

test('a leg that is closed ends the listening; an engine without a port is not listened with', async (t) => {
  const { leg, peer } = await lineOf(media)
  const engine = loudnessVad()
  t.after(engine.close)
  assert.equal(leg.listen(options({ open: () => assert.fail() }), listener().sink), undefined)
  const listening = leg.listen(options(engine.vad), listener().sink)
  await leg.close()
  await listening?.ended
  assert.equal(leg.listen(options(engine.vad), listener().sink), undefined)
  peer.close()
})

test('frames come here only while they are read', async (t) => {
  await using line = await lineOf(media)
  const engine = loudnessVad()
  t.after(engine.close)
  const { sink, speech } = listener()
  line.leg.listen(options(engine.vad), sink)
  line.peer.speak(line.leg.port, joinPcm([tone(300, 500), quiet(500)]), { loop: true })
  await until('speech', () => speech().length >= 3)
  let read = 0
  const fromMs = performance.now()
  for await (const { atMs } of line.leg.input) {
    // Earlier frames were not kept, because the leg had a listener. A frame may have waited in the jitter buffer.
    assert.ok((atMs ?? 0) > fromMs - 500)
    if (++read === 10) break
  }
  const before = speech().length
  await until('speech goes on', () => speech().length >= before + 2)
})

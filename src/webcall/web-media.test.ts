// The workers of web calls: audio both ways over a socket, and what happens when a worker dies.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, beforeEach, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { heardMs, tone } from '../../test/phones/spectrum.ts'
import { until } from '../../test/until.ts'
import { joinPcm } from '../audio/pcm.ts'
import type { LegEvent } from '../rtp/leg.ts'
import type { Audio } from '../voice/ports.ts'
import { INPUT_HZ, OUTPUT_HZ } from './protocol.ts'
import { openWebMedia, type WebMedia } from './web-media.ts'

/** All workers that the test started, so that it can terminate them. */
const workers: Worker[] = []
const onWorker = (message: unknown) => void workers.push((message as { worker: Worker }).worker)
subscribe('worker_threads', onWorker)
beforeEach(() => void workers.splice(0))
after(() => void unsubscribe('worker_threads', onWorker))

const never = new AbortController().signal
async function* once(pcm: Int16Array, rateHz: number): Audio {
  yield { pcm, rateHz }
}

function socketLeg(media: WebMedia) {
  const events: LegEvent[] = []
  const signals: string[] = []
  const sounds: Int16Array[] = []
  const leg = media.open(
    { by: 'socket' },
    {
      onEvent: (event) => void events.push(event),
      onSignal: ({ type }) => void signals.push(type),
      onSocketAudio: (pcm) => void sounds.push(pcm.slice()),
    },
  )
  const opened = () => until('the worker has the call', () => signals.includes('connected'))
  const heard = () => ({ pcm: joinPcm([...sounds, new Int16Array(0)]), rateHz: OUTPUT_HZ })
  return { leg, events, signals, heard, opened }
}

test('a socket call is heard and plays through a worker that starts with the first call', async (t) => {
  const media = openWebMedia({ workers: 1 })
  t.after(() => media.close())
  assert.equal(workers.length, 0)
  const { leg, signals, heard, opened } = socketLeg(media)
  await opened()
  assert.equal(workers.length, 1)
  const said: Int16Array[] = []
  const listening = (async () => {
    for await (const { pcm, rateHz } of leg.media.input) {
      assert.equal(rateHz, INPUT_HZ)
      said.push(pcm.slice())
    }
  })()
  await until('the caller is heard', () => {
    leg.putSocketAudio(1, tone(1000, 0.04, INPUT_HZ).pcm) // on a busy machine some of it arrives too late
    return heardMs({ pcm: joinPcm(said), rateHz: INPUT_HZ }, 1000) > 40
  })
  assert.equal((await leg.media.play(once(tone(600, 0.4, 16_000).pcm, 16_000), never)).playedMs, 400)
  await until('all of it was sent', () => heardMs(heard(), 600) >= 360)
  assert.ok(!signals.includes('clear'))

  const stop = new AbortController()
  const playing = leg.media.play(once(tone(600, 5, 24_000).pcm, 24_000), stop.signal)
  const before = heard().pcm.length
  await until('it plays', () => heard().pcm.length > before)
  stop.abort()
  await playing
  assert.ok(signals.includes('clear'), 'the client drops what it has buffered')
  leg.disconnect()
  await listening
})

test('calls are spread over the workers, eight to one before the next is started', async (t) => {
  const media = openWebMedia({ workers: 2 })
  t.after(() => media.close())
  const legs = Array.from({ length: 9 }, () => socketLeg(media))
  await Promise.all(legs.map(({ opened }) => opened()))
  assert.equal(workers.length, 2)
  for (const { leg } of legs) leg.disconnect()
})

test('when a worker dies, its calls fail and another takes its place', async (t) => {
  const media = openWebMedia({ workers: 1 })
  t.after(() => media.close())
  const { leg, events, opened } = socketLeg(media)
  await opened()
  const playing = leg.media.play(once(tone(600, 60, 24_000).pcm, 24_000), never)
  await workers[0]?.terminate()
  await playing
  await until('the call knows', () => events.length > 0)
  assert.deepEqual(events, [{ type: 'failed', problem: 'the media thread died' }])
  leg.disconnect()
  const next = await until('another worker', () => {
    try {
      return socketLeg(media)
    } catch {
      return undefined
    }
  })
  await next.opened()
  assert.equal((await next.leg.media.play(once(tone(600, 0.1, 24_000).pcm, 24_000), never)).playedMs, 100)
})

test('an offer that cannot be answered is refused, and the worker goes on', async (t) => {
  const media = openWebMedia({ workers: 1 })
  t.after(() => media.close())
  const peer = { codec: 'PCMU' as const, iceServers: [], ports: { from: 20_000, to: 29_999 }, host: '127.0.0.1' }
  const leg = media.open({ by: 'webrtc', offer: 'v=0\r\n', peer }, { onEvent() {}, onSignal() {} })
  await assert.rejects(leg.answer)
  leg.disconnect()
  await socketLeg(media).opened()
  assert.equal(workers.length, 1)
})

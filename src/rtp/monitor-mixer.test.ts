// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { heardMs, levelAt, stretchesOf, tone } from '../../test/phones/spectrum.ts'
import { until } from '../../test/until.ts'
import type { AudioFrame, Transport } from '../voice/ports.ts'
import { DroppingQueue, Inbox } from './frame-inbox.ts'
import { type Listener, monitorMixer } from './monitor-mixer.ts'
import { LISTEN_HZ } from './monitor-tape.ts'

const [CALLER_HZ, AGENT_HZ, LATER_HZ] = [1000, 600, 2000]
const never = new AbortController().signal
const STEP_MS = 10

/** The mixer's clock and timer, advanced together in small steps, so that nothing depends on the machine's load. */
function virtualClock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let nowMs = 0
  let sleepers: { atMs: number; wake: () => void }[] = []
  async function advance(ms: number): Promise<void> {
    for (const endMs = nowMs + ms; nowMs < endMs; ) {
      nowMs += STEP_MS
      for (const { atMs, wake } of sleepers) if (atMs <= nowMs) wake()
      sleepers = sleepers.filter(({ atMs }) => atMs > nowMs)
      for (let i = 0; i < 3; i++) await turn()
      t.mock.timers.tick(STEP_MS)
      for (let i = 0; i < 3; i++) await turn()
    }
  }
  return {
    now: () => nowMs,
    advance,
    sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        sleepers.push({ atMs: nowMs + ms, wake: resolve })
        signal?.addEventListener('abort', () => resolve())
      }),
    /** Advances until `isSo` returns true; fails with `what` otherwise. */
    async until(what: string, isSo: () => boolean, boundMs = 15_000): Promise<void> {
      for (const endMs = nowMs + boundMs; !isSo(); ) {
        assert.ok(nowMs < endMs, `not within ${boundMs} ms: ${what}`)
        await advance(STEP_MS)
      }
    },
    async whilePlaying<T>(played: Promise<T>): Promise<T> {
      let isOver = false
      const over = played.finally(() => {
        isOver = true
      })
      while (!isOver) await advance(STEP_MS)
      return over
    },
  }
}
type Clock = ReturnType<typeof virtualClock>

/** A line that plays in real time, one play after another, and hears what the test gives it. */
function line(clock: Clock) {
  const frames: AudioFrame[] = []
  let wake = () => {}
  let isOver = false
  let mouth: Promise<unknown> = Promise.resolve()
  async function* input(): AsyncGenerator<AudioFrame> {
    for (;;) {
      const frame = frames.shift()
      if (frame) yield frame
      else if (isOver) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  async function playNow(audio: AsyncIterable<AudioFrame>, signal: AbortSignal) {
    let heard = 0
    for await (const { pcm, rateHz } of audio) {
      const ms = (pcm.length / rateHz) * 1000
      await clock.sleep(ms, signal)
      heard += ms
      if (signal.aborted) break
    }
    return { playedMs: heard }
  }
  const transport: Transport = {
    input: input(),
    digits: (async function* () {})(),
    play(audio, signal) {
      const played = mouth.then(() => playNow(audio, signal))
      mouth = played
      return played
    },
    volume: () => {},
    act: async () => ({ status: 'done' }),
  }
  return {
    transport,
    says(frame: AudioFrame) {
      frames.push(frame)
      wake()
    },
    leaves() {
      isOver = true
      wake()
    },
  }
}

async function* sound(...frames: AudioFrame[]): AsyncGenerator<AudioFrame> {
  yield* frames
}

/** Everything that a listener has heard so far. */
function ears({ frames }: Listener) {
  const heard: Uint8Array[] = []
  let hasEnded = false
  void (async () => {
    for await (const frame of frames) heard.push(frame)
    hasEnded = true
  })()
  const side = (at: 0 | 1) => {
    const pcm = heard.flatMap((frame) => {
      const both = new Int16Array(frame.buffer, frame.byteOffset, frame.byteLength / 2)
      return Array.from({ length: both.length / 2 }, (_, i) => both[2 * i + at] as number)
    })
    return { pcm: Int16Array.from(pcm), rateHz: LISTEN_HZ }
  }
  return {
    get ms() {
      return heard.length * 20
    },
    get hasEnded() {
      return hasEnded
    },
    get sizes() {
      return new Set(heard.map(({ byteLength }) => byteLength))
    },
    caller: () => side(0),
    agent: () => side(1),
  }
}

test('each side is on its own channel, whatever its rate, in real time and with its silences', async (t) => {
  const clock = virtualClock(t)
  const { transport, says, leaves } = line(clock)
  const call = monitorMixer(clock.now)
  const watched = call.watched(transport)
  const hearing = (async () => {
    for await (const _ of watched.input);
  })()
  const listener = call.listen()
  assert.ok(listener)
  const heard = ears(listener)
  const beganMs = clock.now()
  const { pcm } = tone(CALLER_HZ, 0.6, 8000)
  const talking = (async () => {
    for (let at = 0; at < pcm.length; at += 160) {
      says({ pcm: pcm.subarray(at, at + 160), rateHz: 8000 })
      await clock.sleep(20)
    }
  })()
  await clock.whilePlaying(watched.play(sound(tone(AGENT_HZ, 0.3, 24_000), tone(AGENT_HZ, 0.2, 24_000)), never))
  await clock.whilePlaying(talking)
  await clock.until('a silence', () => heard.ms >= 900)
  const tookMs = clock.now() - beganMs
  assert.ok(Math.abs(heard.ms - tookMs) < 120, `${heard.ms} ms in ${tookMs} ms`)
  assert.deepEqual([...heard.sizes], [4 * 320])
  const [left, right] = [heard.caller(), heard.agent()]
  assert.ok(heardMs(left, CALLER_HZ) >= 480, JSON.stringify(stretchesOf(left, CALLER_HZ)))
  assert.ok(Math.abs(heardMs(right, AGENT_HZ) - 500) <= 60, JSON.stringify(stretchesOf(right, AGENT_HZ)))
  assert.equal(stretchesOf(right, AGENT_HZ).length, 1, 'without a hole')
  assert.equal(heardMs(left, AGENT_HZ) + heardMs(right, CALLER_HZ), 0)
  const level = stretchesOf(right, AGENT_HZ)[0]?.levelDb ?? 0
  assert.ok(Math.abs(level - -11) < 1, `${level} dB`)
  leaves()
  await hearing
  call.end()
  await clock.until('it has ended', () => heard.hasEnded)
  assert.equal(call.listen(), undefined, 'there is nothing more to hear')
})

test('audio that was cut off is not heard, and the next words follow at once', async (t) => {
  const clock = virtualClock(t)
  const { transport } = line(clock)
  const call = monitorMixer(clock.now)
  const watched = call.watched(transport)
  const listener = call.listen()
  assert.ok(listener)
  const heard = ears(listener)
  const stop = new AbortController()
  const first = watched.play(sound(tone(AGENT_HZ, 5, 16_000)), stop.signal)
  await clock.until('some of it', () => heardMs(heard.agent(), AGENT_HZ) >= 200)
  stop.abort()
  await clock.whilePlaying(first)
  await clock.whilePlaying(watched.play(sound(tone(LATER_HZ, 0.2, 16_000)), never))
  await clock.until('what follows', () => heardMs(heard.agent(), LATER_HZ) >= 180)
  const right = heard.agent()
  const [cutMs = 0, nextMs = 0] = [stretchesOf(right, AGENT_HZ)[0]?.toMs, stretchesOf(right, LATER_HZ)[0]?.fromMs]
  assert.ok(cutMs < 600 && nextMs - cutMs < 150, `${cutMs} ${nextMs}`)
  call.end()
})

test('a listener who joins during a sentence hears it from there', async (t) => {
  const clock = virtualClock(t)
  const { transport } = line(clock)
  const call = monitorMixer(clock.now)
  const watched = call.watched(transport)
  const pcm = Int16Array.from([...tone(AGENT_HZ, 0.6, 16_000).pcm, ...tone(LATER_HZ, 0.4, 16_000).pcm])
  const beganMs = clock.now()
  const played = watched.play(sound({ pcm, rateHz: 16_000 }), never)
  await clock.advance(300)
  const lateMs = clock.now() - beganMs
  const listener = call.listen()
  assert.ok(listener)
  const heard = ears(listener)
  await clock.whilePlaying(played)
  await clock.until('its end', () => heard.ms >= 900)
  const right = heard.agent()
  const rest = heardMs(right, AGENT_HZ)
  assert.ok(Math.abs(rest - (600 - lateMs)) <= 80, `${rest} ms of ${600 - lateMs}`)
  assert.ok(Math.abs(heardMs(right, LATER_HZ) - 400) <= 60)
  call.end()
})

test('a lower volume is heard as such', async (t) => {
  const clock = virtualClock(t)
  const { transport } = line(clock)
  const call = monitorMixer(clock.now)
  const watched = call.watched(transport)
  const listener = call.listen()
  assert.ok(listener)
  const heard = ears(listener)
  watched.volume?.(0.25)
  await clock.whilePlaying(watched.play(sound(tone(AGENT_HZ, 0.3, 16_000)), never))
  await clock.until('it was heard', () => heardMs(heard.agent(), AGENT_HZ) >= 200)
  const { fromMs = 0, toMs = 0 } = stretchesOf(heard.agent(), AGENT_HZ)[0] ?? {}
  const { pcm } = heard.agent()
  const db = levelAt(pcm.subarray((fromMs + 20) * 16, (toMs - 40) * 16), LISTEN_HZ, AGENT_HZ)
  assert.ok(Math.abs(db - -23) < 1.5, `${db} dB`)
  call.end()
})

test('while playout is held the listeners hear silence, and its rest afterwards', async (t) => {
  const clock = virtualClock(t)
  const { transport } = line(clock)
  const call = monitorMixer(clock.now)
  const holds: boolean[] = []
  const watched = call.watched({ ...transport, hold: (isHeld) => void holds.push(isHeld) })
  const listener = call.listen()
  assert.ok(listener)
  const heard = ears(listener)
  const played = watched.play(sound(tone(AGENT_HZ, 0.6, 16_000)), never)
  await clock.advance(200)
  watched.hold?.(true)
  await clock.advance(300)
  watched.hold?.(false)
  await clock.whilePlaying(played)
  await clock.advance(400)
  assert.deepEqual(holds, [true, false])
  const stretches = stretchesOf(heard.agent(), AGENT_HZ)
  assert.equal(stretches.length, 2)
  const gapMs = (stretches[1]?.fromMs ?? 0) - (stretches[0]?.toMs ?? 0)
  assert.ok(Math.abs(gapMs - 300) <= 60, `${gapMs} ms`)
  call.end()
})

test('a slow listener loses the oldest frames, the others lose nothing', async (t) => {
  const clock = virtualClock(t)
  const call = monitorMixer(clock.now)
  const [slow, quick] = [call.listen(), call.listen()]
  assert.ok(slow && quick)
  const heard = ears(quick)
  await clock.advance(10_000)
  assert.equal(heard.ms, 10_000)
  call.end()
  let late = 0
  for await (const _ of slow.frames) late++
  assert.equal(late, 100, 'two seconds, and no more')
})

test('ten may listen at once; one that leaves makes room', () => {
  const call = monitorMixer()
  const all = Array.from({ length: 10 }, () => call.listen())
  assert.ok(all.every((each) => each !== undefined))
  assert.equal(call.listen(), undefined)
  all[3]?.stop()
  all[3]?.stop()
  assert.ok(call.listen())
  assert.equal(call.listen(), undefined)
  call.end()
})

test('without listeners the frames pass unchanged and are not kept', async () => {
  let nowMs = 0
  const call = monitorMixer(() => nowMs)
  const given = { pcm: new Int16Array(160), rateHz: 8000 }
  const played: AudioFrame[] = []
  const watched = call.watched({
    input: sound(given),
    digits: (async function* () {})(),
    async play(audio) {
      for await (const frame of audio) {
        played.push(frame)
        nowMs += 20
      }
      return { playedMs: 20 }
    },
    act: async () => ({ status: 'done' }),
  })
  assert.equal(watched.volume, undefined)
  for await (const frame of watched.input) assert.equal(frame, given)
  await watched.play(sound(given, given), never)
  assert.ok(played.length === 2 && played.every((frame) => frame === given))
})

test('frames of a transport that tracks speech itself are read only while somebody monitors', async () => {
  const call = monitorMixer()
  const frames = new DroppingQueue<AudioFrame>(10)
  const reads: boolean[] = []
  const input = new Inbox(frames, (isRead) => void reads.push(isRead))
  const watched = call.watched({
    input,
    listen: () => undefined,
    digits: (async function* () {})(),
    play: async () => ({ playedMs: 0 }),
    act: async () => ({ status: 'done' }),
  })
  assert.ok(watched.listen)
  assert.deepEqual(reads, [])
  const [one, other] = [call.listen(), call.listen()]
  await until('the reader', () => reads.length > 0)
  one?.stop()
  assert.deepEqual(reads, [true])
  other?.stop()
  assert.deepEqual(reads, [true, false])
  call.listen()
  assert.deepEqual(reads, [true, false, true])
  call.end()
  assert.deepEqual(reads, [true, false, true, false])
})

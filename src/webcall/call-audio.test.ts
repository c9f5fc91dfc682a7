// Web call audio on a virtual clock: pacing, playout position, barge-in, input, recording.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { heardMs, tone } from '../../test/phones/spectrum.ts'
import { pcmBytes, pcmOf, WAV_HEADER_BYTES } from '../audio/wav.ts'
import { Player } from '../rtp/player.ts'
import type { ReceivedFrame } from '../rtp/rtp-leg.ts'
import type { Audio } from '../voice/ports.ts'
import { CallAudio } from './call-audio.ts'

const RATE = 16_000
const codec = { rateHz: RATE, clockHz: RATE, decode: (payload: Uint8Array) => pcmOf(payload) }

/** The audio as its worker drives it, with the main thread's player. */
function aLine(outputHz = 24_000, bufferMs = 0) {
  const sent: { frame: Int16Array; isTalk: boolean }[] = []
  const heard: ReceivedFrame[] = []
  let cleared = 0
  let nowMs = 1000
  let sequence = 0
  const line = new CallAudio({
    codec,
    payloadType: 0,
    outputHz,
    bufferMs,
    nowMs,
    send: (frame, isTalk) => void sent.push({ frame: frame.slice(), isTalk }),
    onPlayed: (play, heardMs, isDone, recordedMs) =>
      player.heard({ is: 'heard', leg: 0, play, heardMs, isDone, recordedMs }, nowMs),
    onCleared: () => void cleared++,
  })
  const player = new Player(0, {
    tell(command) {
      if (command.do === 'play') line.open(command.play)
      if (command.do === 'drop') line.drop(command.play)
    },
    say: (_leg, play, rateHz, pcm) => line.push(play, pcm, rateHz),
    sayEnd: (_leg, play) => line.end(play),
  })
  const put = (pcm: Int16Array) => {
    const header = { payloadType: 0, marker: false, ssrc: 1, sequence, timestamp: sequence * 320 }
    line.put({ ...header, payload: Uint8Array.from(pcmBytes(pcm)) }, nowMs)
    sequence++
  }
  const tick = (skipped: number) => {
    line.send(skipped)
    heard.push(line.hear(nowMs))
  }
  return {
    line,
    play: (audio: Audio, signal: AbortSignal) => player.play(audio, signal),
    put,
    sent,
    heard,
    tick,
    cleared: () => cleared,
    /** Runs this many ticks, with the browser's audio as input. */
    async run(ticks: number, theirs?: Int16Array): Promise<void> {
      for (let i = 0; i < ticks; i++) {
        const frame = theirs?.subarray(i * 320, (i + 1) * 320)
        if (frame?.length === 320) put(frame)
        nowMs += 20
        tick(0)
        await new Promise(setImmediate)
      }
    },
  }
}

async function* once(pcm: Int16Array, rateHz: number): Audio {
  yield { pcm, rateHz }
}
const never = new AbortController().signal

test('playout is paced in 20 ms frames and counted', async () => {
  const { play, sent, run } = aLine()
  const played = play(once(tone(600, 0.5, 24_000).pcm, 24_000), never)
  await run(30)
  const { playedMs: heard, startedAt: beganAt } = await played
  assert.equal(heard, 500)
  assert.ok(beganAt !== undefined && beganAt <= 1040, `${beganAt}`)
  const talk = sent.filter(({ isTalk }) => isTalk)
  assert.equal(talk.length, 25)
  assert.ok(sent.every(({ frame }) => frame.length === 480))
  const pcm = Int16Array.from(talk.flatMap(({ frame }) => [...frame]))
  assert.ok(heardMs({ pcm, rateHz: 24_000 }, 600) >= 480)
})

test('an interrupted play stops within a frame, and the client is told to clear its buffer', async () => {
  const { play, sent, run, cleared } = aLine()
  const stop = new AbortController()
  const played = play(once(tone(600, 2, 16_000).pcm, 16_000), stop.signal)
  await run(10)
  stop.abort()
  const { playedMs: heard } = await played
  const before = sent.filter(({ isTalk }) => isTalk).length
  await run(5)
  assert.equal(sent.filter(({ isTalk }) => isTalk).length, before)
  assert.ok(Math.abs(heard - before * 20) < 1, `${heard} ms in ${before} frames`)
  assert.equal(cleared(), 1)
})

test('a play that never started is dropped without a clear message', async () => {
  const { play, run, cleared } = aLine()
  const stop = new AbortController()
  const played = play(once(tone(600, 1, 16_000).pcm, 16_000), stop.signal)
  stop.abort()
  assert.deepEqual(await played, { playedMs: 0 })
  await run(2)
  assert.equal(cleared(), 0)
})

test('a volume change applies from the next frame', async () => {
  const { line, play, sent, run } = aLine()
  void play(once(tone(600, 1, 24_000).pcm, 24_000), never)
  await run(5)
  line.volume(0.25)
  await run(5)
  const peak = (at: number) => Math.max(...(sent[at]?.frame ?? []))
  assert.ok(peak(9) < 0.3 * peak(3), `${peak(3)} then ${peak(9)}`)
  await line.close()
})

test('a hold silences at once and clears the client, and what it had not heard is sent again', async () => {
  const { line, play, sent, run, cleared } = aLine(24_000, 100)
  const played = play(once(tone(600, 1, 24_000).pcm, 24_000), never)
  await run(20)
  line.hold(true)
  assert.equal(cleared(), 1)
  const before = sent.filter(({ isTalk }) => isTalk).length
  await run(10)
  assert.equal(sent.filter(({ isTalk }) => isTalk).length, before)
  line.hold(false)
  await run(60)
  assert.equal((await played).playedMs, 1000)
  const repeatedMs = (sent.filter(({ isTalk }) => isTalk).length - 50) * 20
  assert.ok(repeatedMs >= 120 && repeatedMs <= 140, `${repeatedMs} ms`)
})

test('a hold before the first sound clears nothing', async () => {
  const { line, play, run, cleared, sent } = aLine(24_000, 100)
  line.hold(true)
  const played = play(once(tone(600, 0.2, 24_000).pcm, 24_000), never)
  await run(5)
  assert.equal(sent.filter(({ isTalk }) => isTalk).length, 0)
  line.hold(false)
  await run(15)
  assert.equal((await played).playedMs, 200)
  assert.equal(cleared(), 0)
})

test('input frames come every 20 ms with their age, silence filling gaps', async () => {
  const { heard, run } = aLine()
  await run(50, tone(1000, 1, RATE).pcm)
  await run(50)
  assert.equal(heard.length, 100)
  assert.ok(heard.every(({ pcm, rateHz }) => pcm.length === 320 && rateHz === RATE))
  assert.ok(
    heard.every(({ ageMs }) => ageMs >= 0 && ageMs < 150),
    `${heard.map(({ ageMs }) => ageMs)}`,
  )
  const pcm = Int16Array.from(heard.flatMap((frame) => [...frame.pcm]))
  const ms = heardMs({ pcm, rateHz: RATE }, 1000)
  assert.ok(ms >= 940 && ms <= 1120, `${ms} ms`)
})

test('a burst does not add lasting delay', async () => {
  const { heard, put, run } = aLine()
  for (let i = 0; i < 5000; i++) put(new Int16Array(320).fill(i))
  await run(300)
  assert.ok((heard.at(-1)?.ageMs ?? 0) <= 200, `${heard.at(-1)?.ageMs} ms`)
})

test('both sides are recorded in sync, and a play reports its position', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-line-'))
  try {
    const { line, play, run } = aLine()
    const path = join(folder, 'call.wav')
    await line.record(path, assert.fail)
    await run(25)
    const played = play(once(tone(600, 0.4, 24_000).pcm, 24_000), never)
    await run(50, tone(1000, 1, RATE).pcm)
    const { recorded } = await played
    assert.ok(recorded && Math.abs(recorded.fromMs - 500) <= 40, JSON.stringify(recorded))
    assert.equal((recorded?.toMs ?? 0) - (recorded?.fromMs ?? 0), 400)
    await line.close()
    const bytes = readFileSync(path)
    assert.deepEqual([bytes.readUInt16LE(22), bytes.readUInt32LE(24)], [2, RATE])
    const both = pcmOf(Uint8Array.from(bytes.subarray(WAV_HEADER_BYTES)))
    assert.equal(both.length / 2, 75 * 320)
    const side = (at: number) => ({ pcm: both.filter((_, i) => i % 2 === at), rateHz: RATE })
    assert.ok(Math.abs(heardMs(side(1), 600) - 400) <= 40, `${heardMs(side(1), 600)} ms of ours`)
    assert.ok(heardMs(side(0), 1000) >= 900, `${heardMs(side(0), 1000)} ms of theirs`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('skipped ticks are silence in the recording', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-line-'))
  try {
    const { line, tick } = aLine()
    const path = join(folder, 'call.wav')
    await line.record(path, assert.fail)
    tick(49)
    await line.close()
    assert.equal(readFileSync(path).length - WAV_HEADER_BYTES, 50 * 320 * 4)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

// Time to first sound of replies in the embedded voice, opened as the service does: idle, and while other processes use
// both cores.
import { execFileSync, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { monotonicMs } from '../../src/base/time/clock.ts'
import { splitOpener } from '../../src/speech/text/openers.ts'
import type { Tts } from '../../src/voice/ports.ts'
import { exited, nextMessage, own } from '../report/child.ts'
import { type Figure, largest, median, percentile } from '../report/figures.ts'
import { sentencesOfReply } from './texts.ts'
import { never, openEmbedded, voice } from './voices.ts'

export const BUSY_SHARE = 0.8
export const IN_TIME_MS = 500
const ROUNDS = 3
/** Three rounds of this many give enough samples for a p95. */
const REPLIES_PER_ROUND = 7
/** Each opener was said once. */
const WARM_UPS = 7
/** The time in which the caller speaks. */
const PAUSE_MS = 1000
/** Kokoro's sample rate, which identifies it: espeak-ng has another. */
const NATURAL_HZ = 24_000

export type FirstSoundRow = {
  callers: number
  isBusy: boolean
  replies: number
  /** One figure per round. */
  p50Ms: Figure[]
  p95Ms: Figure
  slowestMs: Figure
  /** Of replies that begin with an opener ("Claro, …"), and of the others. */
  openedP50Ms: Figure
  othersP50Ms: Figure
  /** Shares of all replies. */
  inTime: number
  natural: number
  changed: number
  /** The longest silence after the first sound of a reply. */
  longestGapMs: Figure
}

type Frame = { at: number; lastsMs: number; isNatural: boolean }
type Reply = { isOpened: boolean; firstMs: number; isNatural: boolean; isChanged: boolean; gapMs: number }

export async function measureFirstSound(isBusy: boolean, callers: readonly number[]): Promise<FirstSoundRow[]> {
  const rows: FirstSoundRow[] = []
  const { tts, close } = await openEmbedded(() => {})
  // A server has already spoken while idle before it gets busy, so it knows its usual time to first sound.
  for (let turn = 0; turn < WARM_UPS; turn++) await reply(tts, turn).then(() => sleep(PAUSE_MS))
  const free = isBusy ? await keepBusy() : async () => {}
  try {
    for (const count of callers) rows.push(await measure(tts, count, isBusy))
  } finally {
    await free()
    await close()
  }
  return rows
}

async function measure(tts: Tts, callers: number, isBusy: boolean): Promise<FirstSoundRow> {
  const rounds: Reply[][] = []
  for (let round = 0, turn = 0; round < ROUNDS; round++) {
    const replies: Reply[] = []
    for (; replies.length < REPLIES_PER_ROUND; turn++) {
      replies.push(...(await Promise.all(Array.from({ length: callers }, (_, i) => reply(tts, turn * callers + i)))))
      await sleep(PAUSE_MS)
    }
    rounds.push(replies)
  }
  const all = rounds.flat()
  const share = (of: (one: Reply) => boolean) => all.filter(of).length / all.length
  const firsts = all.map(({ firstMs }) => firstMs)
  return {
    callers,
    isBusy,
    replies: all.length,
    p50Ms: rounds.map((round) => median(round.map(({ firstMs }) => firstMs))),
    p95Ms: percentile(firsts, 0.95),
    slowestMs: largest(firsts),
    openedP50Ms: median(all.filter(({ isOpened }) => isOpened).map(({ firstMs }) => firstMs)),
    othersP50Ms: median(all.filter(({ isOpened }) => !isOpened).map(({ firstMs }) => firstMs)),
    inTime: share(({ firstMs }) => firstMs <= IN_TIME_MS),
    natural: share(({ isNatural }) => isNatural),
    changed: share(({ isChanged }) => isChanged),
    longestGapMs: largest(all.map(({ gapMs }) => gapMs)),
  }
}

/** Requests all sentences at once, as the playout's lookahead does, and plays them in order. */
async function reply(tts: Tts, turn: number): Promise<Reply> {
  const key = {}
  const start = monotonicMs()
  const hear = async (sentence: string): Promise<Frame[]> => {
    const frames: Frame[] = []
    for await (const { pcm, rateHz } of tts.speak(sentence, { ...voice, reply: key }, never))
      frames.push({ at: monotonicMs(), lastsMs: (pcm.length * 1000) / rateHz, isNatural: rateHz === NATURAL_HZ })
    return frames
  }
  const sentences = sentencesOfReply(turn)
  const frames = (await Promise.all(sentences.map(hear))).flat()
  const [first] = frames
  if (!first) throw new Error('A reply had no sound')
  let [endsAt, gapMs] = [first.at, 0]
  for (const { at, lastsMs } of frames) {
    gapMs = Math.max(gapMs, at - endsAt)
    endsAt = Math.max(endsAt, at) + lastsMs
  }
  const { isNatural } = first
  return {
    isOpened: splitOpener(sentences[0] ?? '', voice.language) !== null,
    firstMs: first.at - start,
    isNatural,
    isChanged: frames.some((frame) => frame.isNatural !== isNatural),
    gapMs,
  }
}

/** Starts one process pinned to each core; returns a function that ends them. */
async function keepBusy(): Promise<() => Promise<void>> {
  const program = fileURLToPath(new URL('./busy-core.ts', import.meta.url))
  const children = await Promise.all(
    Array.from({ length: availableParallelism() }, async (_, core) => {
      const child = own(fork(program, [String(BUSY_SHARE)]))
      await nextMessage(child)
      execFileSync('taskset', ['-cp', String(core), String(child.pid)])
      return child
    }),
  )
  return async () => {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map((child) => exited(child)))
  }
}

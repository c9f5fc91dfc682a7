// The mouth: says a turn sentence by sentence, knows how much of it was heard, can be stopped at once and can go on where it was.
import { raceAbort, waitAtMost } from '../base/abort.ts'
import { heardOf, letterMsOf, newPiece, type PlayoutSegment, unheard, type VoicePace } from './heard-text.ts'
import type { When } from './history.ts'
import type { Audio, AudioFrame, Clock, Played, Transport } from './ports.ts'
import { LevelMeter } from './speech-bounds.ts'
import { type Maker, synthesise } from './synthesise.ts'

/** So many sentences are made ahead of the one that is heard. */
const AHEAD = 2
/** A transport that does not say how much was heard is not waited for longer. */
const ANSWER_MS = 500

export type Outcome = { end: 'said' | 'stopped' } | { end: 'failed'; stage: 'model' | 'synthesis'; error: unknown }

export type SpokenTurn = {
  /** Says on from where it is. */
  speak(): Promise<Outcome>
  /** Silent at once; `speak` goes on from the word at which it was. */
  stop(): void
  /** Said at once, before what is still to come, unless something is being said so already. */
  interject(text: () => string): void
  /** Resolves when all that there was has been heard, and more is awaited. */
  quiet(): Promise<void>
  /** So loud is what is heard from now on. */
  volume(gain: number): void
  /** What the far side has heard of it, cut at a word. */
  heard(): string
  /** From its first to its last sound that was heard, and when the first of it was sent; null where that is not known. */
  when(): (When & { sentAt: number }) | null
  /** Nothing more will be said of it; resolves when it is known what was heard. */
  end(): Promise<void>
}

export type MouthParts = Maker & {
  play: Transport['play']
  clock: Clock
  /** The rate of the line over which it is heard. */
  lineHz?: () => number | undefined
  /** Of the voice, over all turns. */
  pace?: VoicePace
  /** Sound begins, after none. */
  onSound: () => void
  /** All that there was has been heard, and more is awaited. */
  onDry: () => void
  /** What was interjected has been heard. */
  onFilled?: () => void
}

/** A sentence in the queue of what is heard. */
type Place = { hasSound: boolean }
/** How loud it is from then on. */
type Volume = { at: number; gain: number }

export function speechPlayout(sentences: AsyncIterable<string>, parts: MouthParts): SpokenTurn {
  const source = sentences[Symbol.asyncIterator]()
  let pieces: PlayoutSegment[] = []
  let waiting: Promise<IteratorResult<string>> | undefined // asked for, and not lost when we are stopped meanwhile
  let isAllText = false
  let stopping = new AbortController()
  let isSounding = false
  let isAwaited = false // it is for text that nothing is heard
  const playing = new Set<Promise<unknown>>()
  let aside: Promise<void> | undefined
  const awaitsQuiet: (() => void)[] = []
  const { pace = { letters: 0, ms: 0 } } = parts
  let queue: Place[] = []
  const volumes: Volume[] = []
  const sounds: (When & { sentAt: number })[] = []

  async function* sounding(piece: PlayoutSegment, place: Place, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    for await (const frame of synthesise(piece, parts, signal)) {
      place.hasSound = true
      tellSound()
      yield frame
    }
  }

  /** Sentences are made side by side: one that is ready before the one in front of it is not heard yet. */
  function tellSound(): void {
    if (isSounding || stopping.signal.aborted || !queue[0]?.hasSound) return
    isSounding = true
    parts.onSound()
  }

  function play(piece: PlayoutSegment, signal: AbortSignal): Promise<void> {
    const place: Place = { hasSound: false }
    if (!piece.isAside) queue.push(place)
    const sound = piece.isAside ? synthesise(piece, parts, signal) : sounding(piece, place, signal)
    const meter = new LevelMeter(parts.lineHz?.())
    const played = parts.play(metered(sound, meter), signal).then((outcome) => {
      const when = whenOf(outcome, meter, volumes)
      if (when) sounds.push(when)
      piece.heardMs = outcome.heardMs
      if (piece.isMade) {
        pace.letters += piece.text.length
        pace.ms += piece.madeMs
      }
      if (!signal.aborted) piece.isHeard = true
    })
    playing.add(played)
    const finished = () => {
      playing.delete(played)
      queue = queue.filter((one) => one !== place)
      tellSound()
      ranDry()
    }
    played.then(finished, finished)
    return played
  }

  function ranDry(): void {
    if (playing.size > 0 || !isAwaited || stopping.signal.aborted) return
    for (const wake of awaitsQuiet.splice(0)) wake()
    if (!isSounding) return
    isSounding = false
    parts.onDry()
  }

  async function nextText(signal: AbortSignal): Promise<string | undefined> {
    if (isAllText || signal.aborted) return undefined
    waiting ??= source.next()
    isAwaited = true
    ranDry()
    const result = await raceAbort(signal, waiting, () => null)
    isAwaited = false
    if (result === null) return undefined
    waiting = undefined
    if (!result.done) return result.value
    isAllText = true
    return undefined
  }

  /** Resolves when all was played, or what stood in the way. */
  async function sayAll(signal: AbortSignal): Promise<Outcome> {
    const played: Promise<void>[] = []
    const left = pieces.filter((piece) => !piece.isHeard)
    while (!signal.aborted) {
      if (played.length >= AHEAD) await played.at(-AHEAD)
      const again = left.shift()
      let text: string | undefined
      try {
        text = again ? again.text : await nextText(signal)
      } catch (error) {
        // What was whole is said before the failure is told.
        await Promise.all(played)
        return signal.aborted ? { end: 'stopped' } : { end: 'failed', stage: 'model', error }
      }
      if (text === undefined) break
      if (text.trim() === '') continue
      const piece = again ?? newPiece(text, false, letterMsOf(pace))
      if (!again) pieces.push(piece)
      if (signal.aborted) break
      const sound = play(piece, signal)
      sound.catch(() => {}) // told below
      played.push(sound)
    }
    await Promise.all(played)
    return { end: signal.aborted ? 'stopped' : 'said' }
  }

  return {
    async speak() {
      stopping = new AbortController()
      const { signal } = stopping
      // Where it was is known only when the transport has told how much was heard.
      await Promise.allSettled(playing)
      if (signal.aborted) return { end: 'stopped' }
      pieces = unheard(pieces)
      isSounding = false
      try {
        return await sayAll(signal)
      } catch (error) {
        return signal.aborted ? { end: 'stopped' } : { end: 'failed', stage: 'synthesis', error }
      }
    },
    stop: () => stopping.abort(),
    interject(text) {
      if (aside) return
      const { signal } = stopping
      const piece = newPiece(text(), true, letterMsOf(pace))
      pieces.push(piece)
      const played = play(piece, signal)
        .catch(parts.onTrouble)
        .then(() => {
          if (aside === played) aside = undefined
          if (!signal.aborted) parts.onFilled?.()
        })
      aside = played
    },
    quiet() {
      const { promise, resolve } = Promise.withResolvers<void>()
      awaitsQuiet.push(resolve)
      ranDry()
      return promise
    },
    volume: (gain) => void volumes.push({ at: parts.clock.now(), gain }),
    heard: () => heardOf(pieces),
    when() {
      const [first, last] = [sounds[0], sounds.at(-1)]
      if (!first || !last) return null
      const recorded =
        first.recorded && last.recorded ? { fromMs: first.recorded.fromMs, toMs: last.recorded.toMs } : null
      return { at: first.at, toAt: last.toAt, sentAt: first.sentAt, recorded }
    },
    async end() {
      stopping.abort()
      void Promise.try(() => source.return?.()).catch(() => {})
      await waitAtMost(ANSWER_MS, Promise.allSettled(playing), parts.clock)
    },
  }
}

async function* metered(audio: Audio, meter: LevelMeter): AsyncGenerator<AudioFrame> {
  for await (const frame of audio) {
    meter.push(frame.pcm, frame.rateHz)
    yield frame
  }
}

/** A voice begins and ends with a little silence: that is not heard as speech. */
function whenOf({ heardMs, beganAt, recorded }: Played, meter: LevelMeter, volumes: readonly Volume[]) {
  if (beganAt === undefined) return null
  const sound = meter.soundUntil(heardMs, (ms) => volumes.findLast(({ at }) => at <= beganAt + ms)?.gain ?? 1)
  if (!sound) return null
  const place = recorded && { fromMs: recorded.fromMs + sound.fromMs, toMs: recorded.toMs - (heardMs - sound.toMs) }
  return {
    at: beganAt + sound.fromMs,
    toAt: beganAt + sound.toMs,
    sentAt: beganAt,
    recorded: place ?? null,
  }
}

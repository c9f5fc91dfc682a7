// The mouth: says a turn sentence by sentence, knows how much of it was heard, can be stopped at once and can go on where it was.
import { heardOf, newPiece, type Piece, unheard } from './heard.ts'
import { type Maker, madeSpeech } from './made-speech.ts'
import type { AudioFrame, Clock, Transport } from './ports.ts'

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
  /** Said at once, before what is still to come. */
  interject(text: string): void
  /** What the far side has heard of it, cut at a word. */
  heard(): string
  /** Nothing more will be said of it; resolves when it is known what was heard. */
  end(): Promise<void>
}

export type MouthParts = Maker & {
  play: Transport['play']
  clock: Clock
  /** Sound begins, after none. */
  onSound: () => void
  /** All that there was has been heard, and more is awaited. */
  onDry: () => void
}

export function spokenTurn(sentences: AsyncIterable<string>, parts: MouthParts): SpokenTurn {
  const source = sentences[Symbol.asyncIterator]()
  let pieces: Piece[] = []
  let waiting: Promise<IteratorResult<string>> | undefined // asked for, and not lost when we are stopped meanwhile
  let isAllText = false
  let stopping = new AbortController()
  let isSounding = false
  let isAwaited = false // it is for text that nothing is heard
  const playing = new Set<Promise<unknown>>()

  async function* sounding(piece: Piece, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    for await (const frame of madeSpeech(piece, parts, signal)) {
      if (!isSounding && !signal.aborted) {
        isSounding = true
        parts.onSound()
      }
      yield frame
    }
  }

  function play(piece: Piece, signal: AbortSignal): Promise<void> {
    const sound = piece.isAside ? madeSpeech(piece, parts, signal) : sounding(piece, signal)
    const played = parts.play(sound, signal).then(({ heardMs }) => {
      piece.heardMs = heardMs
      if (!signal.aborted) piece.isHeard = true
    })
    playing.add(played)
    const finished = () => {
      playing.delete(played)
      ranDry()
    }
    played.then(finished, finished)
    return played
  }

  function ranDry(): void {
    if (playing.size > 0 || !isAwaited || !isSounding || stopping.signal.aborted) return
    isSounding = false
    parts.onDry()
  }

  async function nextText(signal: AbortSignal): Promise<string | undefined> {
    if (isAllText || signal.aborted) return undefined
    waiting ??= source.next()
    const stopped = Promise.withResolvers<'stopped'>()
    const stop = () => stopped.resolve('stopped')
    signal.addEventListener('abort', stop, { once: true })
    isAwaited = true
    ranDry()
    const result = await Promise.race([waiting, stopped.promise])
    isAwaited = false
    signal.removeEventListener('abort', stop)
    if (result === 'stopped') return undefined
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
      const piece = again ?? newPiece(text)
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
      const piece = newPiece(text, true)
      pieces.push(piece)
      play(piece, stopping.signal).catch(parts.onTrouble)
    },
    heard: () => heardOf(pieces),
    async end() {
      stopping.abort()
      void Promise.try(() => source.return?.()).catch(() => {})
      const known = new AbortController()
      await Promise.race([Promise.allSettled(playing), parts.clock.sleep(ANSWER_MS, known.signal)])
      known.abort()
    },
  }
}

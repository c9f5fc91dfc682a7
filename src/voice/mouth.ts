// The mouth: says a turn sentence by sentence, knows how much of it was heard, can be stopped at once and can go on where it was.
import type { Audio, AudioFrame, Transport } from './ports.ts'

export type Say = (text: string, signal: AbortSignal) => Audio

/** Of speech that was not wholly made when it was stopped: a person says some fifteen letters a second. */
const MS_PER_LETTER = 66
/** So many sentences are made ahead of the one that is heard. */
const AHEAD = 2

type Piece = { text: string; madeMs: number; isMade: boolean; heardMs: number; isHeard: boolean }

export type SpokenTurn = {
  /** Says on from where it is; resolves true when all was heard, false when it was stopped. Rejects when nothing can be said. */
  speak(): Promise<boolean>
  stop(): void
  /** What the far side has heard of it, cut at a word. */
  heard(): string
  /** Nothing more will be said of it. */
  end(): void
}

export function spokenTurn(
  sentences: AsyncIterable<string>,
  transport: Pick<Transport, 'play'>,
  say: Say,
  onSound: () => void,
): SpokenTurn {
  const source = sentences[Symbol.asyncIterator]()
  const pieces: Piece[] = []
  let waiting: Promise<IteratorResult<string>> | undefined // asked for, and not lost when we are stopped meanwhile
  let isAllText = false
  let stopping = new AbortController()
  let hasSounded = false

  async function* made(piece: Piece, audio: Audio): AsyncGenerator<AudioFrame> {
    for await (const frame of audio) {
      if (!hasSounded) {
        hasSounded = true
        onSound()
      }
      piece.madeMs += (frame.pcm.length / frame.rateHz) * 1000
      yield frame
    }
    piece.isMade = true
  }

  async function sayPiece(piece: Piece, signal: AbortSignal): Promise<void> {
    piece.madeMs = 0
    piece.isMade = false
    piece.heardMs = 0
    const { heardMs } = await transport.play(made(piece, say(piece.text, signal)), signal)
    piece.heardMs = heardMs
    if (!signal.aborted) piece.isHeard = true
  }

  async function nextText(signal: AbortSignal): Promise<string | undefined> {
    if (isAllText) return undefined
    waiting ??= source.next()
    const stopped = new Promise<'stopped'>((resolve) => {
      if (signal.aborted) resolve('stopped')
      signal.addEventListener('abort', () => resolve('stopped'), { once: true })
    })
    const result = await Promise.race([waiting, stopped])
    if (result === 'stopped') return undefined
    waiting = undefined
    if (!result.done) return result.value
    isAllText = true
    return undefined
  }

  return {
    async speak() {
      stopping = new AbortController()
      const { signal } = stopping
      const rest = unheard(pieces)
      pieces.splice(0, pieces.length, ...pieces.filter((piece) => piece.isHeard), ...rest)
      const queue = rest.filter((piece) => !piece.isHeard)
      const playing: Promise<void>[] = []
      const begin = (piece: Piece) => {
        const played = sayPiece(piece, signal)
        played.catch(() => {}) // told below
        playing.push(played)
      }
      for (const piece of queue) {
        if (playing.length >= AHEAD) await playing.at(-AHEAD)
        if (signal.aborted) break
        begin(piece)
      }
      while (!signal.aborted) {
        if (playing.length >= AHEAD) await playing.at(-AHEAD)
        const text = await nextText(signal)
        if (text === undefined) break
        const piece = { text, madeMs: 0, isMade: false, heardMs: 0, isHeard: false }
        pieces.push(piece)
        if (!signal.aborted) begin(piece)
      }
      await Promise.all(playing)
      return !signal.aborted
    },
    stop: () => stopping.abort(),
    heard: () => pieces.map(heardOf).join(' ').replace(/\s+/g, ' ').trim(),
    end() {
      stopping.abort()
      void source.return?.()
    },
  }
}

/** What of a piece was heard: all, or as many words as fit into the time. */
function heardOf(piece: Piece): string {
  return piece.isHeard ? piece.text : splitAt(piece).heard
}

function splitAt({ text, heardMs, madeMs, isMade }: Piece): { heard: string; rest: string } {
  const wholeMs = isMade ? madeMs : Math.max(madeMs, text.length * MS_PER_LETTER)
  const letters = wholeMs > 0 ? (heardMs / wholeMs) * text.length : 0
  const cut = letters >= text.length ? text.length : text.lastIndexOf(' ', letters)
  return { heard: text.slice(0, Math.max(0, cut)), rest: text.slice(Math.max(0, cut)).trimStart() }
}

/** What is left to say: the rest of the sentence that was cut, from the word at which it was, and those after it. */
function unheard(pieces: readonly Piece[]): Piece[] {
  const left = pieces.filter((piece) => !piece.isHeard)
  return left.flatMap((piece) => {
    const { heard, rest } = splitAt(piece)
    const fresh = (text: string, isHeard: boolean): Piece => ({ text, madeMs: 0, isMade: false, heardMs: 0, isHeard })
    return [...(heard ? [fresh(heard, true)] : []), ...(rest ? [fresh(rest, false)] : [])]
  })
}

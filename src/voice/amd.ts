// Listens beside the conversation to who answered a call of ours: what is heard in, "it is a mailbox" and "that was its tone" out.
import { type Answerer, type Screening, type Sign, screened, unscreened } from './amd-classifier.ts'
import { beepDetector } from './beep-detector.ts'
import type { Audio, AudioFrame } from './ports.ts'

/** A mailbox that gave no tone by then gives none. */
const LAST_TONE_MS = 90_000

export type ScreeningEvents = {
  onAnswered(by: Answerer, atMs: number): void
  /** It may be a mailbox: whether it is will be told soon. */
  onSuspected(): void
  onBeep(): void
}

export function screening(tell: ScreeningEvents) {
  const isBeep = beepDetector()
  let known: Screening = unscreened
  let nowMs = 0

  function take(sign: Sign): void {
    const before = known
    known = screened(known, sign)
    if (known.isSuspect && !before.isSuspect) tell.onSuspected()
    if (known.by !== null && known.by !== before.by) tell.onAnswered(known.by, nowMs)
  }

  function hear(frame: AudioFrame): void {
    nowMs += (frame.pcm.length / frame.rateHz) * 1000
    if (nowMs < LAST_TONE_MS && isBeep(frame)) {
      take({ type: 'beep', atMs: nowMs })
      if (known.by === 'machine') tell.onBeep()
    }
    if (!known.isOver) take({ type: 'time', atMs: nowMs })
  }

  return {
    /** The same sound, listened to on its way. */
    async *through(input: Audio): AsyncGenerator<AudioFrame> {
      for await (const frame of input) {
        hear(frame)
        yield frame
      }
    },
    voice: (on: boolean, atMs: number) => take({ type: 'voice', on, atMs }),
    words: (text: string) => take({ type: 'words', text }),
  }
}

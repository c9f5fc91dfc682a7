// A streaming recognizer: partial transcripts some time after their words, the final one soon after the end.
import { Channel } from '../../src/base/concurrency/channel.ts'
import { FIRST_LEVEL, RATE_HZ, type ScriptedUtterance, spokenPart } from '../../src/simulation/scripted-stt.ts'
import type { AudioFrame, Clock, Stt, Transcript } from '../../src/voice/ports.ts'

export type LiveScript = {
  /** Delay from a word to its partial transcript, and from the end of the audio to the final transcript. */
  partialMs?: number
  finalMs?: number
  /** Formats the transcript so far; verbatim by default. */
  partial?: (text: string) => string
  final?: (text: string) => string
  /** Breaks the stream after this much audio; undefined: does not break it. */
  cutAfterMs?: (stream: number) => number | undefined
}

export type HeardStream = { openedAt: number; endedAt: number; heardMs: number; partials: string[] }

export function liveStt(
  clock: Clock,
  said: readonly ScriptedUtterance[],
  script: LiveScript,
): Stt & { streams: HeardStream[] } {
  const { partialMs = 250, finalMs = 120, partial = (text) => text, final = (text) => text } = script
  const streams: HeardStream[] = []

  async function hear(
    audio: AsyncIterable<AudioFrame>,
    stream: HeardStream,
    out: Channel<Transcript>,
    signal: AbortSignal,
  ) {
    const samples = new Map<number, number>()
    const cutAfterMs = script.cutAfterMs?.(streams.length - 1) ?? Number.POSITIVE_INFINITY
    let last = ''
    const text = () =>
      [...samples]
        .map(([level, n]) => spokenPart(said[level - FIRST_LEVEL], (n / RATE_HZ) * 1000).trim())
        .join(' ')
        .trim()
    for await (const { pcm } of audio) {
      stream.heardMs += (pcm.length / RATE_HZ) * 1000
      for (const level of pcm) if (level !== 0) samples.set(level, (samples.get(level) ?? 0) + 1)
      if (stream.heardMs >= cutAfterMs) throw new Error('the connection broke')
      const words = partial(text())
      if (words === last || words === '') continue
      last = words
      void clock.sleep(partialMs, signal).then(() => {
        stream.partials.push(words)
        void out.push({ text: words, isFinal: false })
      })
    }
    await clock.sleep(finalMs, signal)
    if (!signal.aborted) void out.push({ text: final(text()), isFinal: true, hasSpeech: text() !== '' })
  }

  return {
    name: 'live',
    isLive: true,
    streams,
    async *transcribe(audio, _options, signal) {
      const stream: HeardStream = { openedAt: clock.now(), endedAt: Number.NaN, heardMs: 0, partials: [] }
      streams.push(stream)
      const out = new Channel<Transcript>(Number.POSITIVE_INFINITY)
      signal.addEventListener('abort', () => out.end(), { once: true })
      hear(audio, stream, out, signal).then(
        () => out.end(),
        (error: unknown) => out.end(error),
      )
      try {
        yield* out
      } finally {
        stream.endedAt = clock.now()
      }
    },
  }
}

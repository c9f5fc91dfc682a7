// Spans of the caller's audio, in media time, that come from other sources: a television, another person.
import type { Span } from '../ports.ts'
import type { Utterance } from './audio-history.ts'

/** Kept before the gate opens: an initial consonant is quieter than its vowel. */
export const PREROLL_MS = 160
const MAX_SPANS = 500

export class FarSpans {
  #spans: { fromMs: number; toMs: number }[] = []

  add(fromMs: number, toMs: number): void {
    const last = this.#spans.at(-1)
    if (last && last.toMs >= fromMs) last.toMs = toMs
    else this.#spans.push({ fromMs, toMs })
  }

  /** Near speech starts here; the preroll before it is near as well. */
  open(atMs: number): void {
    this.#cut(atMs - PREROLL_MS)
  }

  /** Replaces all spans after `sinceMs`. */
  replace(sinceMs: number, spans: readonly Span[]): void {
    this.#cut(sinceMs)
    for (const { fromMs, toMs } of spans) this.add(fromMs, toMs)
  }

  /** The spans after this, clipped. */
  since(ms: number): Span[] {
    const spans = this.#spans.filter(({ toMs }) => toMs > ms)
    return spans.map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, ms), toMs }))
  }

  /** Up to here the spans are final: near speech is recognized as such only after its start. */
  settledMs(nowMs: number): number {
    const last = this.#spans.at(-1)
    return last && last.toMs >= nowMs ? nowMs - PREROLL_MS : nowMs
  }

  /** Drops the spans before this. */
  drop(untilMs: number): void {
    while (this.#spans[0] && (this.#spans[0].toMs <= untilMs || this.#spans.length > MAX_SPANS)) this.#spans.shift()
  }

  /** Silences the spans in this copy. */
  silence(utterance: Utterance): Utterance {
    const { fromMs, rateHz } = utterance
    const at = (ms: number) => Math.max(0, Math.round(((ms - fromMs) * rateHz) / 1000))
    for (const span of this.#spans) utterance.pcm.fill(0, at(span.fromMs), at(span.toMs))
    return utterance
  }

  #cut(atMs: number): void {
    for (let last = this.#spans.at(-1); last && last.toMs > atMs; last = this.#spans.at(-1)) {
      if (last.fromMs < atMs) {
        last.toMs = atMs
        return
      }
      this.#spans.pop()
    }
  }
}

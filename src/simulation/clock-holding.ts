// Real models, ears and voices in virtual time: the clock stands still while they work, and what they took is charged to it.
import type { Llm, Stt, TurnModel, Vad } from '../voice/ports.ts'
import type { SessionParts } from '../voice/session.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** What comes after the first of a stream takes what it takes, or no time where the first has a fixed one. */
async function* held<T>(
  clock: VirtualClock,
  stream: AsyncIterable<T>,
  signal: AbortSignal,
  first: number | undefined,
  later: number | undefined,
): AsyncGenerator<T> {
  const source = stream[Symbol.asyncIterator]()
  let fixedMs = first
  try {
    for (;;) {
      const next = await clock.hold(() => source.next(), signal, fixedMs)
      if (next.done) return
      fixedMs = later
      yield next.value
    }
  } finally {
    void Promise.try(() => source.return?.()).catch(() => {})
  }
}

export const heldLlm = (llm: Llm, clock: VirtualClock, fixedMs: number | undefined): Llm => ({
  name: llm.name,
  isModel: llm.isModel,
  reply: (history, tools, options, signal) =>
    held(clock, llm.reply(history, tools, options, signal), signal, fixedMs, fixedMs === undefined ? undefined : 0),
})

export const heldStt = (stt: Stt, clock: VirtualClock, fixedMs: number | undefined): Stt => ({
  name: stt.name,
  async *transcribe(audio, options, signal) {
    // As one piece of work: what is partial on the way is of no use to who waits for the end.
    const last = async () => {
      let text = ''
      for await (const transcript of stt.transcribe(audio, options, signal)) text = transcript.text
      return text
    }
    yield { text: await clock.hold(last, signal, fixedMs), isFinal: true }
  },
})

/** A voice makes sound faster than it is heard, or else this machine is too small for it: only its first sound is waited for. */
export const heldSay =
  (say: SessionParts['say'], clock: VirtualClock, fixedMs: number | undefined): SessionParts['say'] =>
  (text, signal) =>
    held(clock, say(text, signal), signal, fixedMs, 0)

export const heldTurnModel = (model: TurnModel, clock: VirtualClock): TurnModel => ({
  finished: (heard, signal) => clock.hold(() => model.finished(heard, signal), signal),
})

/** Voice activity takes no time: it is computed while the next frame is on its way. */
export const heldVad = (vad: Vad, clock: VirtualClock): Vad => ({
  open(rateHz) {
    const stream = vad.open(rateHz)
    const never = new AbortController().signal
    return { push: (pcm) => clock.hold(() => stream.push(pcm), never, 0), close: () => stream.close() }
  },
})

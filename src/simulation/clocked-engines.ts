// Real LLM, STT, TTS and VAD on the virtual clock: it stops while they work and is then charged the time they took.
import type { Llm, Stt, Transcript, TurnModel, Vad } from '../voice/ports.ts'
import type { SessionParts } from '../voice/session.ts'
import type { VirtualClock } from './virtual-clock.ts'

type Charge = { firstMs: number | undefined; laterMs: number | undefined }

/** Charges fixed times for the first and for later items; undefined: the time they took. */
async function* clocked<T>(
  clock: VirtualClock,
  { stream, signal }: { stream: AsyncIterable<T>; signal: AbortSignal },
  { firstMs, laterMs }: Charge,
): AsyncGenerator<T> {
  const source = stream[Symbol.asyncIterator]()
  let fixedMs = firstMs
  try {
    for (;;) {
      const next = await clock.hold(() => source.next(), signal, fixedMs)
      if (next.done) return
      fixedMs = laterMs
      yield next.value
    }
  } finally {
    void Promise.try(() => source.return?.()).catch(() => {})
  }
}

export const clockedLlm = (llm: Llm, clock: VirtualClock, fixedMs: number | undefined): Llm => ({
  name: llm.name,
  isModel: llm.isModel,
  reply: (history, tools, options, signal) =>
    clocked(
      clock,
      { stream: llm.reply(history, tools, options, signal), signal },
      { firstMs: fixedMs, laterMs: fixedMs === undefined ? undefined : 0 },
    ),
})

export const clockedStt = (stt: Stt, clock: VirtualClock, fixedMs: number | undefined): Stt => ({
  name: stt.name,
  async *transcribe(audio, options, signal) {
    // Held as one piece of work; partial transcripts are not used.
    const last = async () => {
      let result: Transcript = { text: '', isFinal: true }
      for await (const transcript of stt.transcribe(audio, options, signal)) result = transcript
      return result
    }
    yield { ...(await clock.hold(last, signal, fixedMs)), isFinal: true }
  },
})

/** Synthesis is faster than real time, so only its first frame is charged. */
export const clockedSay =
  (say: SessionParts['say'], clock: VirtualClock, fixedMs: number | undefined): SessionParts['say'] =>
  (text, signal) =>
    clocked(clock, { stream: say(text, signal), signal }, { firstMs: fixedMs, laterMs: 0 })

export const clockedTurnModel = (model: TurnModel, clock: VirtualClock): TurnModel => ({
  endOfTurn: (utterance, signal) => clock.hold(() => model.endOfTurn(utterance, signal), signal),
})

/** VAD is not charged: it runs while the next frame arrives. */
export const clockedVad = (vad: Vad, clock: VirtualClock): Vad => ({
  open(rateHz) {
    const stream = vad.open(rateHz)
    const never = new AbortController().signal
    return { push: (pcm) => clock.hold(() => stream.push(pcm), never, 0), close: () => stream.close() }
  },
})

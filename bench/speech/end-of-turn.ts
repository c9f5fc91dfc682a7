// Time from the end of the turn to its text: callers in real time with VAD, turn machine and recognizer as in a call;
// model and voice are scripted. All callers of a round end at the same moment, which is the worst case.
import { scriptedTransport } from '../../src/simulation/scripted-transport.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { realClock } from '../../src/voice/clock.ts'
import type { Audio, AudioFrame, Stt, Vad } from '../../src/voice/ports.ts'
import { runSession } from '../../src/voice/session.ts'
import { defaultTurnRules } from '../../src/voice/turn/rules.ts'
import { scriptedLlm, scriptedSentences, scriptedVoice } from '../../test/voice/scripted-edges.ts'
import { hintsOf } from '../recognition/set.ts'
import { type Figure, percentile } from '../report/figures.ts'
import { after, openEars, TELEPHONE_HZ, type Utterance } from './ears.ts'

export type EndOfTurnRow = {
  callers: number
  rounds: number
  turns: number
  /** Turns that got no text. */
  lost: number
  /** Time from the earliest end-of-turn decision to the final text; negative if the text came first. */
  p50Ms: Figure
  p95Ms: Figure
  fastestMs: Figure
  slowestMs: Figure
  /**
   * Time from the last sound to the text, to that decision, and to the start of the recognition that produced the text.
   */
  soundP50Ms: Figure
  soundP95Ms: Figure
  decisionP50Ms: Figure
  startP50Ms: Figure
  /** Recognitions started per turn: one that starts in a pause and is not used is wasted work. */
  recognitions: number
}

const FRAME_MS = 20
const FRAME = (TELEPHONE_HZ * FRAME_MS) / 1000
/** The defaults of an agent in the API. */
const rules = { ...defaultTurnRules, minPauseMs: 300 }
const LEAD_MS = 300
/** The next round starts after the agent's replies, or after this limit if one never comes. */
const LOOK_MS = 50
const MAX_ANSWER_MS = 5000

type Delay = { afterEndMs: number; afterSoundMs: number; decisionMs: number; startMs: number }

function openCaller({ ears, vad }: { ears: Stt; vad: Vad }) {
  const delays: Delay[] = []
  let recognitions = 0
  let startedAt = 0
  const stt: Stt = {
    name: ears.name,
    isEmbedded: true,
    transcribe(...args) {
      recognitions++
      startedAt = realClock.now()
      return ears.transcribe(...args)
    },
  }
  let speech: { pcm: Int16Array; startsAt: number } | undefined
  const line = scriptedTransport(realClock, () => new Int16Array(FRAME))

  /** Follows the wall clock: late frames are caught up. */
  async function* input(): Audio {
    for (let at = realClock.now(); !line.signal.aborted; at += FRAME_MS) {
      await realClock.sleep(Math.max(0, at + FRAME_MS - realClock.now()), line.signal)
      const pcm = new Int16Array(FRAME)
      const from = speech ? Math.round(((at - speech.startsAt) * TELEPHONE_HZ) / 1000) : -1
      if (speech && from >= 0) pcm.set(speech.pcm.subarray(from, from + FRAME))
      yield { pcm, rateHz: TELEPHONE_HZ } satisfies AudioFrame
    }
  }

  const done = runSession(
    {
      transport: { ...line.transport, input: input() },
      vad,
      stt,
      clock: realClock,
      tools: [],
      llm: scriptedLlm(realClock, () => 'Sim.', 0, []),
      say: scriptedVoice(realClock, { hasTimings: false }),
      sentences: scriptedSentences,
      onEvent(event) {
        if (event.type !== 'turn') return
        const { speechEndedAt, speechEndKnownAt, recognizedAt } = event
        const endsAt = Math.max(speechEndKnownAt, speechEndedAt + rules.minPauseMs)
        delays.push({
          afterEndMs: recognizedAt - endsAt,
          afterSoundMs: recognizedAt - speechEndedAt,
          decisionMs: endsAt - speechEndedAt,
          startMs: startedAt - speechEndedAt,
        })
      },
    },
    { language: 'pt-BR', systemPrompt: '', rules, opening: null, hints: hintsOf['pt-BR'] ?? [] },
    line.signal,
  )
  return {
    delays,
    recognitions: () => recognitions,
    say(pcm: Int16Array, endsAt: number): void {
      speech = { pcm, startsAt: endsAt - (pcm.length * 1000) / TELEPHONE_HZ }
    },
    async leave(): Promise<void> {
      line.leave()
      await done
    },
  }
}

async function measure(said: readonly Utterance[], callers: number, rounds: number): Promise<EndOfTurnRow> {
  const [ears, vad] = [await openEars(), await openSilero()]
  const all = Array.from({ length: callers }, () => openCaller({ ears, vad }))
  await after(LEAD_MS)
  for (let round = 0; round < rounds; round++) {
    const pcms = all.map((_, i) => (said[(round + i) % said.length] as Utterance).pcm)
    const longestMs = (Math.max(...pcms.map((pcm) => pcm.length)) * 1000) / TELEPHONE_HZ
    const before = all.map((caller) => caller.delays.length)
    const endsAt = realClock.now() + LEAD_MS + longestMs
    for (const [i, caller] of all.entries()) caller.say(pcms[i] as Int16Array, endsAt)
    await after(LEAD_MS + longestMs)
    const isAnswered = () => all.every((caller, i) => caller.delays.length > (before[i] as number))
    for (let ms = 0; ms < MAX_ANSWER_MS && !isAnswered(); ms += LOOK_MS) await after(LOOK_MS)
  }
  await Promise.all(all.map((caller) => caller.leave()))
  await ears.close()
  await vad.close()
  const delays = all.flatMap((caller) => caller.delays)
  const of = (name: keyof Delay, share: number) =>
    percentile(
      delays.map((delay) => delay[name]),
      share,
    )
  const recognitions = all.reduce((sum, caller) => sum + caller.recognitions(), 0)
  return {
    callers,
    rounds,
    turns: delays.length,
    lost: Math.max(0, callers * rounds - delays.length),
    p50Ms: of('afterEndMs', 0.5),
    p95Ms: of('afterEndMs', 0.95),
    fastestMs: of('afterEndMs', 0),
    slowestMs: of('afterEndMs', 1),
    soundP50Ms: of('afterSoundMs', 0.5),
    soundP95Ms: of('afterSoundMs', 0.95),
    decisionP50Ms: of('decisionMs', 0.5),
    startP50Ms: of('startMs', 0.5),
    recognitions: recognitions / Math.max(1, delays.length),
  }
}

/** Measures as many turns with one caller as with several concurrent ones. */
export async function measureEndOfTurn(
  said: readonly Utterance[],
  turns: number,
  callers: readonly number[],
): Promise<EndOfTurnRow[]> {
  const rows: EndOfTurnRow[] = []
  for (const count of callers) rows.push(await measure(said, count, Math.ceil(turns / count)))
  return rows
}

// Text after the end of the turn: callers in real time with VAD, turn machine and recogniser as in a call; model and voice follow a script.
// All callers of a round end at the same moment, which is the worst case.
import { scriptedTransport } from '../../src/simulation/scripted-transport.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { realClock } from '../../src/voice/clock.ts'
import type { Audio, AudioFrame, Stt, Vad } from '../../src/voice/ports.ts'
import { runSession } from '../../src/voice/session.ts'
import { defaultTurnRules } from '../../src/voice/turn-rules.ts'
import { scriptedLlm, scriptedSentences, scriptedVoice } from '../../test/voice/scripted-edges.ts'
import { type Figure, largest, percentile } from '../report/figures.ts'
import { after, openEars, TELEPHONE_HZ, type Utterance } from './ears.ts'
import { hintsOf } from './recognition-set.ts'

export type EndOfTurnRow = {
  callers: number
  turns: number
  /** From the moment at which the pause was long enough to end a turn; negative where the text came before. */
  p50Ms: Figure
  p95Ms: Figure
  slowestMs: Figure
  /** From the last sound. */
  soundP50Ms: Figure
  soundP95Ms: Figure
  /** Recognitions begun for each turn: what was begun in a pause and not used is work for nothing. */
  recognitions: number
}

const FRAME_MS = 20
const FRAME = (TELEPHONE_HZ * FRAME_MS) / 1000
/** As in an agent of the API. */
const rules = { ...defaultTurnRules, minPauseMs: 300 }
const LEAD_MS = 300
/** The next round starts after the agent's answers; one that never comes is not waited for. */
const LOOK_MS = 50
const MAX_ANSWER_MS = 5000

type Delay = { afterEndMs: number; afterSoundMs: number }

function openCaller({ stt, vad }: { stt: Stt; vad: Vad }) {
  const delays: Delay[] = []
  let speech: { pcm: Int16Array; startsAt: number } | undefined
  const line = scriptedTransport(realClock, () => new Int16Array(FRAME))

  /** By the clock: frames that are late are made up for. */
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
      ...{ vad, stt, clock: realClock, tools: [] },
      llm: scriptedLlm(realClock, () => 'Sim.', 0, []),
      say: scriptedVoice(realClock, { hasTimings: false }),
      sentences: scriptedSentences,
      onEvent(event) {
        if (event.type !== 'turn') return
        const { speechEndedAt, speechEndKnownAt, recognisedAt } = event
        const endsAt = Math.max(speechEndKnownAt, speechEndedAt + rules.minPauseMs)
        delays.push({ afterEndMs: recognisedAt - endsAt, afterSoundMs: recognisedAt - speechEndedAt })
      },
    },
    { language: 'pt-BR', systemPrompt: '', rules, opening: null, hints: hintsOf['pt-BR'] ?? [] },
    line.signal,
  )
  return {
    delays,
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
  let recognitions = 0
  const stt: Stt = {
    name: ears.name,
    isEmbedded: true,
    transcribe(...args) {
      recognitions++
      return ears.transcribe(...args)
    },
  }
  const all = Array.from({ length: callers }, () => openCaller({ stt, vad }))
  await after(LEAD_MS)
  for (let round = 0; round < rounds; round++) {
    const pcms = all.map((_, i) => (said[(round + i) % said.length] as Utterance).pcm)
    const longestMs = (Math.max(...pcms.map((pcm) => pcm.length)) * 1000) / TELEPHONE_HZ
    const endsAt = realClock.now() + LEAD_MS + longestMs
    for (const [i, caller] of all.entries()) caller.say(pcms[i] as Int16Array, endsAt)
    await after(LEAD_MS + longestMs)
    const isAnswered = () => all.every((caller) => caller.delays.length > round)
    for (let ms = 0; ms < MAX_ANSWER_MS && !isAnswered(); ms += LOOK_MS) await after(LOOK_MS)
  }
  await Promise.all(all.map((caller) => caller.leave()))
  await ears.close()
  await vad.close()
  const delays = all.flatMap((caller) => caller.delays)
  const afterEnd = delays.map((delay) => delay.afterEndMs)
  const afterSound = delays.map((delay) => delay.afterSoundMs)
  return {
    callers,
    turns: delays.length,
    p50Ms: percentile(afterEnd, 0.5),
    p95Ms: percentile(afterEnd, 0.95),
    slowestMs: largest(afterEnd),
    soundP50Ms: percentile(afterSound, 0.5),
    soundP95Ms: percentile(afterSound, 0.95),
    recognitions: recognitions / Math.max(1, delays.length),
  }
}

/** As many turns of one caller as of three together. */
export async function measureEndOfTurn(said: readonly Utterance[], turns: number): Promise<EndOfTurnRow[]> {
  return [await measure(said, 1, turns), await measure(said, 3, Math.ceil(turns / 3))]
}

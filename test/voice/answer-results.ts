// Gives labelled answers to a real session, with the real VAD, and reports what became of each call.

import { spokenPart } from '../../src/simulation/scripted-stt.ts'
import type { SileroVad } from '../../src/speech/vad/silero.ts'
import { callProgressDetector } from '../../src/voice/amd/call-progress.ts'
import type { AnsweredBy } from '../../src/voice/amd/classifier.ts'
import type { Clock, HeardTone, Stt, Vad } from '../../src/voice/ports.ts'
import type { Answer } from './labelled-answers.ts'
import { scriptedCall } from './scripted-call.ts'

const RATE_HZ = 8000
const FRAME = RATE_HZ / 50
/** Samples given to VAD at once, whose queue is bounded: 10 s. */
const QUEUED = 10 * RATE_HZ
const RECOGNITION_MS = 350
const opening = 'Olá, aqui é a Ana, da clínica.'
const message = 'Aqui é a Ana, da clínica São Lucas, e eu ligo de novo amanhã de manhã.'

export type Result = Answer & {
  answeredBy: AnsweredBy | null
  end: string | null
  wasGreeted: boolean
  heardMessage: boolean
  /** Without the start of tones that are not known yet. */
  toneNames: readonly HeardTone[]
}

/** VAD's probabilities; several streams at once are quicker. */
async function vadOf(vad: SileroVad, answers: readonly Answer[]): Promise<(readonly number[])[]> {
  return Promise.all(
    answers.map(async ({ pcm }) => {
      const stream = vad.open(RATE_HZ)
      const values: number[] = []
      for (let at = 0; at < pcm.length; at += QUEUED) values.push(...(await stream.push(pcm.subarray(at, at + QUEUED))))
      stream.close()
      return values
    }),
  )
}

async function resultOf(
  answer: Answer,
  probabilities: readonly number[],
  voicemail: 'hangup' | 'message' | 'ignore',
): Promise<Result> {
  const call = scriptedCall({
    opening,
    vad: replayed(probabilities),
    stt: (clock) => recognizer(clock, answer),
    sound: (atMs) => frameAt(answer.pcm, Math.round((atMs * RATE_HZ) / 1000)),
    reply: () => 'Certo.',
    rules: { voicemail },
    options: { openingDelayMs: 1200, amd: { message } },
  })
  await call.pass((answer.pcm.length * 1000) / RATE_HZ)
  const end = call.ended?.endReason ?? null
  await call.leaves()
  const by = call.events.flatMap((event) => (event.type === 'amd-result' ? [event.by] : [])).at(-1) ?? null
  return {
    ...answer,
    answeredBy: by,
    end,
    wasGreeted: call.lastHeard(opening)?.isCut === false,
    heardMessage: call.lastHeard(message) !== undefined,
    toneNames: tonesIn(answer.pcm, probabilities),
  }
}

function frameAt(pcm: Int16Array, at: number): Int16Array {
  const frame = new Int16Array(FRAME)
  frame.set(pcm.subarray(at, at + FRAME))
  return frame
}

/** Known beforehand; silence after it. */
function replayed(probabilities: readonly number[]): Vad {
  const STEP = RATE_HZ * 0.032
  return {
    open() {
      let samples = 0
      let steps = 0
      return {
        async push(pcm) {
          samples += pcm.length
          const found: number[] = []
          while ((steps + 1) * STEP <= samples) found.push(probabilities[steps++] ?? 0)
          return found
        },
        close() {},
      }
    },
  }
}

/** Returns what was said in the audio, which it finds in the call by its samples. */
function recognizer(clock: Clock, { pcm, said }: Answer): Stt {
  return {
    name: 'script',
    async *transcribe(audio, _options, signal) {
      let first: Int16Array | undefined
      let samples = 0
      for await (const frame of audio) {
        if (!first || first.length < 40) first = Int16Array.from([...(first ?? []), ...frame.pcm])
        samples += frame.pcm.length
      }
      const fromMs = (placeOf(first ?? new Int16Array(0), pcm) * 1000) / RATE_HZ
      const toMs = fromMs + (samples * 1000) / RATE_HZ
      const text = said
        .filter((each) => each.toMs > fromMs && each.fromMs < toMs)
        .map((each) =>
          spokenPart({ text: each.text, ms: each.toMs - each.fromMs }, Math.min(toMs, each.toMs) - each.fromMs + 200),
        )
        .join(' ')
        .trim()
      await clock.sleep(RECOGNITION_MS, signal)
      if (!signal.aborted) yield { text, isFinal: true, hasSpeech: text !== '' }
    },
  }
}

function placeOf(part: Int16Array, whole: Int16Array): number {
  const length = Math.min(part.length, 40)
  for (let at = whole.indexOf(part[0] as number); at !== -1; at = whole.indexOf(part[0] as number, at + 1)) {
    let i = 1
    while (i < length && whole[at + i] === part[i]) i++
    if (i >= length) return at
  }
  return 0
}

function tonesIn(pcm: Int16Array, probabilities: readonly number[]): HeardTone[] {
  const toneIn = callProgressDetector()
  const heard = new Set<HeardTone>()
  for (let at = 0; at < pcm.length; at += FRAME) {
    const isSpeech = (probabilities[Math.floor(at / (RATE_HZ * 0.032))] ?? 0) > 0.5
    const tone = toneIn({ pcm: pcm.subarray(at, at + FRAME), rateHz: RATE_HZ }, isSpeech)
    if (tone && tone !== 'network') heard.add(tone)
  }
  return [...heard]
}

type Outcome = 'right' | 'in doubt' | 'hung up on' | 'greeted' | 'wrong'

/** Judged by what a person would mind, or the operator. */
export function outcomeOf({ label, answeredBy, end }: Result): Outcome {
  if (label === 'person') {
    if (end !== null) return 'hung up on'
    if (answeredBy === null || answeredBy === 'unknown') return 'in doubt'
    return answeredBy === 'human' ? 'right' : 'wrong'
  }
  if (label === 'mailbox') return answeredBy === 'machine' ? 'right' : 'greeted'
  if (label === 'menu') return answeredBy === 'ivr' && end === null ? 'right' : 'wrong'
  return end === label ? 'right' : 'wrong'
}

/** In groups of eight. */
export async function* results(
  vad: SileroVad,
  answers: AsyncIterable<Answer>,
  voicemail: 'hangup' | 'message' | 'ignore',
): AsyncGenerator<Result> {
  let group: Answer[] = []
  const run = async () => {
    const probabilities = await vadOf(vad, group)
    const found: Result[] = []
    for (const [i, answer] of group.entries()) found.push(await resultOf(answer, probabilities[i] ?? [], voicemail))
    group = []
    return found
  }
  for await (const answer of answers) if (group.push(answer) === 8) yield* await run()
  yield* await run()
}

// A caller who follows their script and reacts to the agent: they speak after it, interrupt it, or speak while it
// should greet.

import type { CallerTurn, Dialogue, Overlap } from './dialogue.ts'
import type { HeardFrame, Line, SentFrame } from './line.ts'
import { FIRST_TOKEN_MS, type ModelCall, type ModelRequest } from './model.ts'
import type { TelephoneCall } from './phone.ts'
import type { CallRecord } from './platform.ts'
import type { ReplySound } from './scene-audio.ts'
import type { Utterance } from './utterance.ts'

/** The agent has finished after this much silence; after an overlap it may only have paused. */
const FINISHED_MS = 800
const FINISHED_AFTER_OVERLAP_MS = 1800
/** After a filler or a reminder a caller waits for the actual reply. */
const FILLER_MS = 3000
/** How long a caller waits for the agent to start its reply, and to finish it. */
const ANSWER_MS = 11_000
const MAX_REPLY_MS = 30_000
const GREETING_MS = 10_000
/** After something that was not said to the agent, a caller gives it this long to answer by mistake. */
const IGNORED_MS = 2500

export type SpokenOverlap = { readonly overlap: Overlap; readonly fromMs: number; readonly toMs: number }
export type SpokenTurn = {
  readonly turn: CallerTurn
  /** First and last sound of the turn. */
  readonly fromMs: number
  toMs: number
  /** When the caller spoke again or hung up. */
  untilMs: number
  readonly overlaps: SpokenOverlap[]
}

/** All times are on `performance.now()`; adding `wallMs` gives `Date.now()`. */
export type Trace = {
  readonly dialogue: Dialogue
  readonly wallMs: number
  readonly answeredAtMs: number
  readonly endedAtMs: number
  readonly turns: readonly SpokenTurn[]
  readonly heard: readonly HeardFrame[]
  readonly sent: readonly SentFrame[]
  readonly requests: readonly ModelRequest[]
  readonly record: CallRecord
  /** The undisturbed versions of replies that the caller speaks over. */
  readonly replySounds: ReadonlyMap<CallerTurn, ReplySound>
  readonly hasHungUp: boolean
  readonly isEndedByAgent: boolean
  /** Maximum delay of the caller's own clock. */
  readonly lateMs: number
}

/** The audio of a dialogue, keyed by words or by the name of a sound. */
export type Spoken = ReadonlyMap<string, Utterance>

export async function follow(script: {
  dialogue: Dialogue
  spoken: Spoken
  line: Line
  call: TelephoneCall
  model: ModelCall
}): Promise<SpokenTurn[]> {
  const { dialogue, spoken, line, call, model } = script
  const turns: SpokenTurn[] = []
  const isOver = () => call.endedAtMs() !== null
  /** Whether the agent's last sound can be the reply to this turn: the model must have answered before it. */
  const isReply = () => {
    const last = turns.at(-1)
    const asked = model.requests.findLast(({ atMs }) => atMs >= (last?.fromMs ?? 0))
    return (
      !last || dialogue.class === 'collect' || (asked !== undefined && line.soundAtMs > asked.atMs + FIRST_TOKEN_MS)
    )
  }
  const hasFinished = (ms: number) => () => isOver() || line.quietMs >= (isReply() ? ms : Math.max(ms, FILLER_MS))
  const sleep = (ms: number) => {
    const endMs = performance.now() + ms
    return line.until(() => isOver() || performance.now() >= endMs, ms + 1000)
  }
  /** The first sound of the reply to the last turn. */
  let replyFromMs = 0

  async function hearReply(afterMs: number, boundMs: number): Promise<boolean> {
    const isHeard = await line.until(() => isOver() || line.soundAtMs > afterMs, boundMs)
    replyFromMs = performance.now()
    return isHeard && !isOver()
  }

  async function placeFor(turn: CallerTurn): Promise<void> {
    if (turn.answeredMs !== undefined) await sleep(call.answeredAtMs + turn.answeredMs - performance.now())
    else if (turn.intoMs !== undefined) await sleep(replyFromMs + turn.intoMs - performance.now())
    else {
      const hasOverlap = (turns.at(-1)?.overlaps.length ?? 0) > 0
      await line.until(hasFinished(hasOverlap ? FINISHED_AFTER_OVERLAP_MS : FINISHED_MS), MAX_REPLY_MS)
    }
  }

  async function speak(turn: CallerTurn): Promise<SpokenTurn> {
    let [fromMs, toMs] = [0, 0]
    for (const part of turn.parts) {
      if (isOver()) break
      if (typeof part === 'number') {
        await sleep(part)
        continue
      }
      const said = await line.say(spoken.get(part) as Utterance)
      fromMs ||= said.fromMs
      toMs = said.toMs
    }
    const nowMs = performance.now()
    return { turn, fromMs: fromMs || nowMs, toMs: toMs || nowMs, untilMs: 0, overlaps: [] }
  }

  async function overlap(into: SpokenTurn, wish: Overlap): Promise<void> {
    if (wish.inSilence) await line.until(hasFinished(FINISHED_AFTER_OVERLAP_MS), MAX_REPLY_MS)
    else await sleep(replyFromMs + wish.atMs - performance.now())
    if (isOver() || line.quietMs > FINISHED_MS !== (wish.inSilence ?? false)) return
    const said = await line.say(spoken.get(wish.say ?? wish.sound ?? '') as Utterance, wish.db ?? 0)
    into.overlaps.push({ overlap: wish, ...said })
    if (wish.inSilence) await sleep(IGNORED_MS)
  }

  if (dialogue.turns[0]?.answeredMs === undefined) await hearReply(0, GREETING_MS)
  for (const turn of dialogue.turns) {
    await placeFor(turn)
    if (isOver()) break
    model.turn = turn
    const last = turns.at(-1)
    if (last) last.untilMs = performance.now()
    const now = await speak(turn)
    turns.push(now)
    if (!(await hearReply(now.toMs - 100, ANSWER_MS))) continue
    for (const wish of turn.overlaps ?? []) await overlap(now, wish)
  }
  const isLong = (turns.at(-1)?.overlaps.length ?? 0) > 0
  await line.until(hasFinished(isLong ? FINISHED_AFTER_OVERLAP_MS : FINISHED_MS), MAX_REPLY_MS)
  const last = turns.at(-1)
  if (last) last.untilMs = performance.now()
  return turns
}

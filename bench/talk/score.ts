// Scores one call from its packets, the model's requests, and the call's turns and transcript.
import { foldText } from '../../src/base/text/text.ts'
import { type WordErrors, wordErrors } from '../../src/speech/word-errors.ts'
import { audibleMs, firstAfter, isHeardAt, pausesOf, quieterAfter, stretchesOf } from './agent-speech.ts'
import type { SpokenOverlap, SpokenTurn, Trace } from './caller.ts'
import { type TalkClass, wordsOf } from './dialogue.ts'
import { digitsIn } from './digits.ts'
import { type Interaction, interactionOf, intrusionsInto, STOPPED_MS, yieldTo } from './interaction.ts'
import { replyOf } from './model.ts'
import { greetingOf, type Latency } from './platform.ts'
import { FRAME_MS } from './utterance.ts'

/** An agent's pause longer than this is not part of its natural speech. */
const FALSE_PAUSE_MS = 300
/** The reply has natural pauses of its own, which vary a little. */
const NATURAL_SLACK_MS = 60
/** A pause up to this long after the end of an overlap is still caused by it. */
const AFTER_OVERLAP_MS = 1500
export const DEAD_AIR_MS = 3000
/** Transcript times come from the platform's VAD. */
const TRANSCRIPT_SLACK_MS = 700
const COMPARED_WORDS = 4

export type TurnScore = {
  readonly words: string
  readonly heard: string
  /** Null if there is nothing to answer. */
  readonly isRight: boolean | null
  readonly isCutOff: boolean | null
  readonly isHesitant: boolean
  readonly gapMs: number | null
  readonly latency: Latency | null
  readonly errors: WordErrors
  readonly digits: { readonly said: string; readonly heard: string } | null
  /** Null: no interruption; Infinity: missed. */
  readonly bargeInMs: number | null
  /** Until the agent lowered its voice. */
  readonly duckedMs: number | null
  readonly overlaps: readonly OverlapScore[]
  /** The reply was cut short although nobody interrupted it. */
  readonly isDropped: boolean
  readonly isLost: boolean
  /** Sound on the wire of a reply with overlaps, relative to the same reply undisturbed; null: not compared. */
  readonly soundRatio: number | null
}
/** The longest pause of the agent that an overlap caused; 0: none over 300 ms. */
export type OverlapScore = { readonly what: string; readonly pauseMs: number }

export type CallScore = {
  readonly id: string
  readonly class: TalkClass
  readonly turns: readonly TurnScore[]
  /** Time from the answer to the agent's first sound. */
  readonly greetingMs: number | null
  /** The whole greeting was said at some point in the call. */
  readonly isGreeted: boolean
  readonly deadAirMs: readonly number[]
  readonly repeated: number
  readonly isStuck: boolean
  readonly hasReminded: boolean
  readonly callerLateMs: number
  readonly interaction: Interaction
}

const wordList = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
const beginning = (text: string) => wordList(text).slice(0, COMPARED_WORDS).join(' ')
const ending = (text: string) => wordList(text).slice(-COMPARED_WORDS).join(' ')
const contains = (text: string, part: string) => ` ${wordList(text).join(' ')} `.includes(` ${part} `)

export function scoreCall(trace: Trace): CallScore {
  const audible = audibleMs(trace.heard)
  const greetedAtMs = firstAfter(audible, trace.answeredAtMs)
  const greetingMs = greetedAtMs === null ? null : greetedAtMs - trace.answeredAtMs
  const turns = trace.turns.map((spoken, i) => scoreTurn(trace, spoken, trace.turns[i + 1] ?? null, audible))
  const gaps = trace.turns.flatMap((spoken, i) => turns[i]?.gapMs ?? unansweredMs(spoken, audible))
  const pauses = turns.flatMap(({ overlaps }) => overlaps.map(({ pauseMs }) => pauseMs))
  return {
    id: trace.dialogue.id,
    class: trace.dialogue.class,
    turns,
    greetingMs,
    isGreeted: trace.record.messages.some(
      ({ type, content }) => type === 'agent' && contains(content, ending(greetingOf(trace.dialogue.language))),
    ),
    deadAirMs: [...gaps, ...pauses, greetingMs ?? 0].filter((ms) => ms > DEAD_AIR_MS),
    repeated: repeatedIn(trace),
    isStuck: !trace.hasHungUp || !trace.record.isEnded,
    hasReminded: stretchesOf(audible, STOPPED_MS).some(({ fromMs }) => fromMs > (trace.turns[0]?.fromMs ?? Infinity)),
    callerLateMs: trace.lateMs,
    interaction: interactionOf({
      turns: trace.turns,
      audible,
      endedAtMs: trace.endedAtMs,
      naturalPauseMs: ({ turn }) => trace.replySounds.get(turn)?.longestPauseMs ?? 0,
      isEndless: trace.dialogue.class === 'never-pauses',
    }),
  }
}

/** Dead air of a turn that got no reply before the caller went on. */
function unansweredMs({ turn, toMs, untilMs }: SpokenTurn, audible: readonly number[]): number[] {
  if (wordsOf(turn) === '' || isHeardAt(audible, toMs)) return []
  const nextMs = firstAfter(audible, toMs)
  return nextMs === null || nextMs > untilMs ? [untilMs - toMs] : []
}

function messagesOf({ record, wallMs }: Trace, type: 'agent' | 'caller', fromMs: number, toMs: number) {
  return record.messages
    .filter((message) => (message.type === 'agent') === (type === 'agent'))
    .map((message) => ({ text: message.content, atMs: Date.parse(message.timestamp) - wallMs }))
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
}

function scoreTurn(trace: Trace, spoken: SpokenTurn, next: SpokenTurn | null, audible: readonly number[]): TurnScore {
  const { dialogue } = trace
  const { turn, fromMs } = spoken
  const untilMs = next?.fromMs ?? trace.endedAtMs
  const words = wordsOf(turn)
  const isOverlap = (atMs: number) =>
    spoken.overlaps.some((one) => atMs > one.fromMs - TRANSCRIPT_SLACK_MS && atMs < one.toMs + TRANSCRIPT_SLACK_MS)
  const heard = messagesOf(trace, 'caller', fromMs - TRANSCRIPT_SLACK_MS, untilMs - TRANSCRIPT_SLACK_MS)
    .filter(({ atMs }) => !isOverlap(atMs))
    .map(({ text }) => text)
    .join(' ')
  const collected = trace.requests.findLast((request) => request.collected !== null)?.collected ?? ''
  const found = turn.isCollected ? collected.slice(-(turn.digits?.length ?? 0)) : digitsIn(heard, dialogue.language)
  const digits = turn.digits === undefined ? null : { said: turn.digits, heard: found }
  const replies = messagesOf(trace, 'agent', fromMs, untilMs).map(({ text }) => text)
  const expected = turn.asks === null ? null : replyOf(dialogue, turn.asks, turn)
  const isUnderstood = trace.requests.some(
    ({ atMs, intent }) => atMs >= fromMs && atMs < untilMs && intent === turn.asks,
  )
  // The words of `collect` are not the model's, so any words of the agent count as the reply.
  const isAnyReply = turn.collects !== undefined && replies.length > 0
  const isSaid = expected !== null && (isAnyReply || replies.some((text) => contains(text, beginning(expected))))
  const isRight = digits ? digits.said === digits.heard : expected === null ? null : isUnderstood && isSaid
  const stretches = stretchesOf(audible, STOPPED_MS)
  const isExempt = turn.answeredMs !== undefined || dialogue.class === 'never-pauses' || words === ''
  const bargeInMs = yieldTo(spoken, stretches)
  const isInterrupted = next?.turn.intoMs !== undefined
  const isDropped =
    isSaid && !isAnyReply && !isInterrupted && !replies.some((text) => contains(text, ending(expected ?? '')))
  const over = spoken.overlaps.filter(({ overlap }) => !overlap.inSilence)
  const overlaps = over.map((one, k) => {
    const isLast = k === over.length - 1
    const naturalMs = trace.replySounds.get(turn)?.longestPauseMs ?? 0
    return scoreOverlap(one, { audible, naturalMs, droppedUntilMs: isDropped && isLast ? untilMs : null })
  })
  const expectedSoundMs = isSaid && !isDropped ? trace.replySounds.get(turn)?.soundMs : undefined
  const soundMs = audible.filter((atMs) => atMs > spoken.toMs && atMs < untilMs).length * FRAME_MS
  const wasAsked = trace.requests.some(({ atMs }) => atMs >= fromMs && atMs < untilMs)
  return {
    words,
    heard,
    isRight,
    isCutOff: isExempt ? null : intrusionsInto(spoken, stretches).length > 0,
    isHesitant: turn.parts.some((part) => typeof part === 'number'),
    gapMs: gapOf(spoken, untilMs, audible),
    latency: latencyOf(trace, spoken),
    errors: wordErrors(words, heard, dialogue.language),
    digits,
    bargeInMs,
    duckedMs: bargeInMs === null ? null : (quieterAfter(trace.heard, fromMs) ?? Number.POSITIVE_INFINITY) - fromMs,
    overlaps,
    isDropped,
    isLost: wasAsked && !isInterrupted && turn.asks !== null && replies.length === 0,
    soundRatio: expectedSoundMs === undefined ? null : soundMs / expectedSoundMs,
  }
}

function gapOf({ turn, toMs }: SpokenTurn, untilMs: number, audible: readonly number[]): number | null {
  if (wordsOf(turn) === '' || isHeardAt(audible, toMs)) return null
  const atMs = firstAfter(audible, toMs)
  return atMs === null || atMs > untilMs ? null : atMs - toMs
}

/**
 * `naturalMs`: pauses of the reply itself; `droppedUntilMs`: when the caller stopped waiting, if the agent did not go
 * on after this overlap.
 */
type Reaction = { audible: readonly number[]; naturalMs: number; droppedUntilMs: number | null }

function scoreOverlap({ overlap, fromMs, toMs }: SpokenOverlap, reaction: Reaction): OverlapScore {
  const { audible, naturalMs, droppedUntilMs } = reaction
  const end = droppedUntilMs === null ? [] : [droppedUntilMs]
  const leastMs = Math.max(FALSE_PAUSE_MS, naturalMs + NATURAL_SLACK_MS)
  const caused = pausesOf([...audible.filter((atMs) => atMs < (end[0] ?? Infinity)), ...end], leastMs).filter(
    (pause) => pause.fromMs > fromMs && pause.fromMs < toMs + AFTER_OVERLAP_MS,
  )
  const pauseMs = Math.max(0, ...caused.map((pause) => pause.toMs - pause.fromMs))
  return { what: overlap.say ?? overlap.sound ?? '', pauseMs }
}

function latencyOf({ record, wallMs }: Trace, { turn, fromMs, toMs }: SpokenTurn): Latency | null {
  if (turn.asks === null) return null
  const own = record.turns.filter(({ at, caller, agent }) => {
    const atMs = Date.parse(at) - wallMs
    return caller !== null && agent !== null && atMs > fromMs - TRANSCRIPT_SLACK_MS && atMs < toMs
  })
  const latency = own.at(-1)?.latency
  return latency && latency.totalMs !== null ? latency : null
}

/** Counts what the agent said more often than it was asked for. */
function repeatedIn({ dialogue, record, turns }: Trace): number {
  const said = record.messages.filter(({ type }) => type === 'agent').map(({ content }) => content)
  const asked = new Map<string, number>()
  for (const { turn } of turns) {
    const reply = turn.asks === null ? '' : beginning(replyOf(dialogue, turn.asks, turn))
    if (reply !== '') asked.set(reply, (asked.get(reply) ?? 0) + 1)
  }
  return [...asked].reduce((sum, [reply, times]) => {
    const count = said.filter((text) => contains(text, reply)).length
    return sum + Math.max(0, count - times)
  }, 0)
}

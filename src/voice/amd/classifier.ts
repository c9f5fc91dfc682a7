// AMD: classifies who answered an outbound call (person, voicemail or IVR) from tones, timing and words, and whether anybody has. Pure.
import type { HeardTone } from '../ports.ts'
import { answeredByWords } from './phrases.ts'

export type AnsweredBy = 'human' | 'machine' | 'ivr' | 'unknown'

/** What ends the call: nobody is there to talk to. */
export type LineEnd = 'busy' | 'caller_hangup' | 'fax' | 'number_not_in_service'

/** Times are media time; `time` is its progress. */
export type AmdSignal =
  | { type: 'speech'; on: boolean; atMs: number }
  | { type: 'transcript'; text: string }
  | { type: 'tone'; tone: HeardTone; atMs: number }
  | { type: 'time'; atMs: number }

export type AmdState = {
  readonly by: AnsweredBy | null
  /** Decided by words, which outweigh everything else. */
  readonly isByWords: boolean
  /** The greeting, including short breaks: its start, and the start of the latest silence in it. */
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly isGreetingOver: boolean
  /** End of the latest speech; null during speech or before the first. */
  readonly quietFromMs: number | null
  /** The latest recording tone; a greeting after it is measured from scratch. */
  readonly toneMs: number
  /** Longer utterances since then, each followed by silence. */
  readonly replies: number
  /** Nobody has answered yet: until then, unless tone or music goes on; null if not waiting. */
  readonly waitUntilMs: number | null
  /** The first and latest of ringback and other tones, and of music. */
  readonly ringing: Span | null
  readonly music: Span | null
  readonly busy: Span | null
  /** As long as a voicemail greeting: the agent stays silent until there is a result. */
  readonly isSuspect: boolean
  readonly end: LineEnd | null
  /** Detection has ended. */
  readonly isOver: boolean
}
type Span = { readonly fromMs: number; readonly toMs: number }

export const initialAmdState: AmdState = {
  by: null,
  isByWords: false,
  fromMs: null,
  toMs: null,
  isGreetingOver: false,
  quietFromMs: null,
  toneMs: 0,
  replies: 0,
  waitUntilMs: null,
  ringing: null,
  music: null,
  busy: null,
  isSuspect: false,
  end: null,
  isOver: false,
}

/** People say hello and wait … */
const HELLO_MS = 2500
const BREAK_MS = 500
/** … a voicemail keeps talking. A receptionist may too, but only a voicemail plays a tone, within TONE_WAIT_MS of its last word. */
const GREETING_MS = 4000
const TONE_WAIT_MS = 1500
/** Few people answer with speech this long, but a radio in the room may sound like it: `unknown`. */
const MONOLOGUE_MS = 12_000
/** A tone is reported up to 0.7 s after its end: speech that began later than this came after it. */
const BEFORE_TONE_MS = 900
/** After a greeting a tone counts only within this time; later it may be background noise. */
const TONE_AFTER_MS = 3000
/** Two replies of at most this length after a tone are a dialogue: nobody speaks while a voicemail records. */
const REPLY_MS = 6000
const MIN_REPLIES = 2
/** How long detection goes on: usually, in or after a long greeting, and while a tone is the only reason for `machine`. */
const GIVE_UP_MS = 20_000
const GIVE_UP_GREETING_MS = 45_000
const GIVE_UP_TONE_MS = 60_000
/** Longest silence between two rings, in music, and after a tone without a name. */
const QUIET_MS = { ringback: 5500, music: 4500, other: 1500 } as const
/** The agent waits this long through ringback, and through music. */
const MAX_WAIT_MS = 60_000
/** Speech that began this soon before a tone was reported was the tone. */
const TONE_AS_SPEECH_MS = 1000
/** A busy tone this long is not a passing noise. Its bursts are at most BUSY_GAP_MS apart. */
const LASTING_BUSY_MS = 4000
const BUSY_GAP_MS = 2000

export function classify(before: AmdState, signal: AmdSignal): AmdState {
  if (before.isOver) return before
  switch (signal.type) {
    case 'speech': {
      const quietFromMs = signal.on ? null : signal.atMs
      const isOfBefore = before.fromMs === null && (!signal.on || signal.atMs < before.toneMs)
      if (before.isGreetingOver || isOfBefore) return { ...before, quietFromMs }
      return { ...before, quietFromMs, fromMs: before.fromMs ?? signal.atMs, toMs: quietFromMs }
    }
    case 'transcript':
      return worded(before, signal.text)
    case 'tone':
      return toned(before, signal.tone, signal.atMs)
    case 'time':
      return timed(before, signal.atMs)
  }
}

const known = (before: AmdState, by: AnsweredBy, more: Partial<AmdState> = {}): AmdState => ({
  ...before,
  waitUntilMs: null,
  ...more,
  by,
  isSuspect: false,
})

const fromScratch = { fromMs: null, toMs: null, isGreetingOver: false } as const

/** Words outweigh timing, also after a short hello. */
function worded(before: AmdState, text: string): AmdState {
  if (before.by === 'machine' && before.isByWords) return before
  const by = answeredByWords(text)
  // A voicemail offers keys too.
  return by ? known(before, by === 'ivr' && before.by === 'machine' ? 'machine' : by, { isByWords: true }) : before
}

function toned(state: AmdState, tone: HeardTone, atMs: number): AmdState {
  if (tone === 'beep')
    return isRecordingTone(state, atMs) ? known(state, 'machine', { ...fromScratch, toneMs: atMs, replies: 0 }) : state
  const { by, fromMs } = state
  const wasTone = by === null && fromMs !== null && atMs - fromMs <= TONE_AS_SPEECH_MS
  const before = wasTone ? { ...state, ...fromScratch } : state
  switch (tone) {
    case 'sit':
    case 'fax':
      return isTalking(before) ? before : ended(before, tone === 'sit' ? 'number_not_in_service' : 'fax')
    case 'busy':
    case 'congestion':
      return busy(before, atMs)
    case 'ringback':
      // Also after an announcement, or when the call is passed on.
      return waiting(before.isByWords ? before : { ...before, ...fromScratch }, 'ringback', atMs)
    default:
      return before.fromMs === null && before.by === null ? waiting(before, tone, atMs) : before
  }
}

/** A voicemail speaks before its tone. A tone outweighs timing, but not words: IVRs play tones too. */
function isRecordingTone({ by, isByWords, fromMs, quietFromMs }: AmdState, atMs: number): boolean {
  if (fromMs === null || atMs - fromMs < BEFORE_TONE_MS) return false
  if (by === null) return true
  const isInDoubt = (by === 'human' || by === 'unknown') && !isByWords
  return isInDoubt && quietFromMs !== null && atMs - quietFromMs <= TONE_AFTER_MS
}

const isTalking = ({ by }: AmdState) => by === 'human' || by === 'ivr'

const ended = (before: AmdState, end: LineEnd): AmdState => ({ ...before, waitUntilMs: null, end, isOver: true })

/** Once somebody has answered, a busy tone means that they have hung up. */
function busy(before: AmdState, atMs: number): AmdState {
  const isNew = before.busy === null || atMs - before.busy.toMs > BUSY_GAP_MS
  const span = { fromMs: isNew ? atMs : before.busy.fromMs, toMs: atMs }
  if (atMs - span.fromMs >= LASTING_BUSY_MS)
    return ended(before, before.by === null || before.by === 'unknown' ? 'busy' : 'caller_hangup')
  const next = { ...before, busy: span }
  return before.by === null ? { ...next, waitUntilMs: atMs + BUSY_GAP_MS } : next
}

function waiting(before: AmdState, tone: HeardTone, atMs: number): AmdState {
  const isMusic = tone === 'music'
  const fromMs = (isMusic ? before.music : before.ringing)?.fromMs ?? atMs
  if (atMs - fromMs >= MAX_WAIT_MS) return known(before, before.by ?? 'unknown', { isOver: true })
  const quietMs = tone === 'ringback' || tone === 'music' ? QUIET_MS[tone] : QUIET_MS.other
  const waitUntilMs = Math.max(before.waitUntilMs ?? 0, atMs + quietMs)
  const span = { fromMs, toMs: atMs }
  return { ...before, waitUntilMs, isSuspect: false, ...(isMusic ? { music: span } : { ringing: span }) }
}

function timed(before: AmdState, atMs: number): AmdState {
  const { fromMs, isGreetingOver, waitUntilMs } = before
  if (atMs - startMs(before) >= giveUpMs(before)) return known(before, before.by ?? 'unknown', { isOver: true })
  if (fromMs === null && waitUntilMs !== null && atMs >= waitUntilMs) return { ...before, waitUntilMs: null }
  return isGreetingOver || fromMs === null ? before : greeted(before, fromMs, atMs)
}

/** When somebody may have answered. */
const startMs = ({ ringing, music }: AmdState) => Math.max(ringing?.toMs ?? 0, music?.toMs ?? 0)

function giveUpMs({ by, isByWords, fromMs, isGreetingOver }: AmdState): number {
  if (by === 'machine' && !isByWords) return GIVE_UP_TONE_MS
  const isGreeting = fromMs !== null && !isGreetingOver
  return isGreeting || by === 'unknown' ? GIVE_UP_GREETING_MS : GIVE_UP_MS
}

function greeted(before: AmdState, fromMs: number, nowMs: number): AmdState {
  const spokeMs = (before.toMs ?? nowMs) - fromMs
  const quietMs = before.toMs === null ? 0 : nowMs - before.toMs
  const isHello = spokeMs <= HELLO_MS
  if (quietMs >= (isHello ? BREAK_MS : TONE_WAIT_MS)) {
    if (before.by === 'machine' && !before.isByWords && !isHello) return replied(before, spokeMs)
    const by = spokeMs > MONOLOGUE_MS ? 'unknown' : 'human'
    const isDecided = before.by !== null && (before.isByWords || !isHello)
    return known(before, isDecided ? before.by : by, { isGreetingOver: true })
  }
  return spokeMs > GREETING_MS && before.by === null && !before.isSuspect ? { ...before, isSuspect: true } : before
}

/** After a tone: what follows is measured anew. */
function replied(before: AmdState, spokeMs: number): AmdState {
  const replies = spokeMs <= REPLY_MS ? before.replies + 1 : 0
  const isDialogue = replies >= MIN_REPLIES
  return known(before, isDialogue ? 'human' : 'machine', { ...fromScratch, replies, isGreetingOver: isDialogue })
}

// Endpointing: the pause that ends the caller's turn, from what was asked, what was said, its final tone, and their own rhythm. Pure.
import { type Completeness, completeness } from '../../dictation/read-value.ts'
import type { FinalProsody } from '../ports.ts'
import { isYesOrNo } from './backchannel.ts'
import { type Clause, clauseOf } from './clause.ts'
import { dictatedPart } from './dictated-part.ts'
import type { Expectation } from './expectation-words.ts'
import type { TurnRules } from './rules.ts'

/** How this caller pauses within a turn. */
export type Rhythm = {
  readonly averagePauseMs: number
  /** Number of pauses measured. */
  readonly pauses: number
  readonly longestMs: number
}

export const initialRhythm: Rhythm = { averagePauseMs: 800, pauses: 0, longestMs: 0 }

/** A long pause counts at once, a short one only a little: it does not show that the caller has stopped hesitating. */
const LONGER_WEIGHT = 0.5
const SHORTER_WEIGHT = 0.2
/** A longer silence is not a hesitation: the caller waited for the agent. */
const MAX_COUNTED_MS = 1600

/** After a pause within a turn. The first one replaces the assumption. */
export function updateRhythm({ averagePauseMs, pauses, longestMs }: Rhythm, pauseMs: number): Rhythm {
  const counted = Math.min(MAX_COUNTED_MS, Math.max(0, pauseMs))
  const weight = counted > averagePauseMs ? LONGER_WEIGHT : SHORTER_WEIGHT
  return {
    averagePauseMs: pauses === 0 ? counted : averagePauseMs + weight * (counted - averagePauseMs),
    pauses: pauses + 1,
    longestMs: Math.max(longestMs, counted),
  }
}

/** A pause that fluent speakers make too. */
const FLUENT_PAUSE_MS = 250
const SETTLING = 0.6
/** A caller may again need the longest pause they once needed in mid-sentence. */
const MAX_SETTLING = 0.85

const settled = (ms: number, share: number) =>
  ms > FLUENT_PAUSE_MS ? FLUENT_PAUSE_MS + share * (ms - FLUENT_PAUSE_MS) : ms

/** Applied after each turn, so that one hesitation does not slow down the whole call. */
export function settleRhythm({ averagePauseMs, pauses, longestMs }: Rhythm): Rhythm {
  if (pauses === 0) return initialRhythm
  return {
    averagePauseMs: settled(averagePauseMs, SETTLING),
    pauses,
    longestMs: settled(longestMs, MAX_SETTLING),
  }
}

export type TurnSoFar = {
  readonly transcript: string
  /** What the agent asked for; null: nothing, or unknown. */
  readonly expected: Expectation | null
  /** The part of the expected value that was dictated in earlier turns. */
  readonly dictated?: string
  /** Tone of the last syllables; null: unknown. */
  readonly prosody: FinalProsody | null
  readonly rhythm: Rhythm
  /** BCP 47. */
  readonly language?: string
}

/** From the shortest wait to the longest. */
type Wait = 'answered' | 'complete' | 'number' | 'doubtful' | 'unfinished' | 'dictating' | 'hesitating' | 'awaited'

/** The pause for an unknown caller, the factor applied to their average pause, and the upper bound. */
const waits: Readonly<Record<Wait, { ms: number; factor: number; maxMs: number }>> = {
  answered: { ms: 0, factor: 0, maxMs: 0 },
  // A hesitant caller may continue even after a whole clause ("… marcar uma consulta … para sexta"). A second is enough: the agent
  // becomes audible some 300 ms later, and a turn taken too soon can be taken back until then.
  complete: { ms: 0, factor: 1.5, maxMs: 1000 },
  number: { ms: 550, factor: 1.5, maxMs: 1000 },
  doubtful: { ms: 900, factor: 1.3, maxMs: 1800 },
  unfinished: { ms: 1500, factor: 1.5, maxMs: 2200 },
  // Unrequested digits may be complete; people who read a card pause for up to 1.2 s between groups.
  dictating: { ms: 1500, factor: 1.5, maxMs: 2200 },
  hesitating: { ms: 2000, factor: 2, maxMs: 2500 },
  // What was asked for has begun, or is about to.
  awaited: { ms: 2000, factor: 1.8, maxMs: 2500 },
}

/** In mid-sentence, wait this much longer than the longest pause so far. */
const OVER_LONGEST_MS = 300

function pauseFor(wait: Wait, { averagePauseMs, pauses, longestMs }: Rhythm): number {
  const { ms, factor, maxMs } = waits[wait]
  if (pauses === 0) return ms
  const isMidSentence = ms >= waits.unfinished.ms
  const atLeastMs = isMidSentence ? longestMs + OVER_LONGEST_MS : 0
  return Math.min(maxMs, Math.max(ms, factor * averagePauseMs, atLeastMs))
}

const bounded = (ms: number, { minPauseMs, maxPauseMs }: TurnRules) => Math.min(maxPauseMs, Math.max(minPauseMs, ms))

/** The pause after the caller's last sound that ends the turn. */
export function endpointingPause(turn: TurnSoFar, rules: TurnRules): number {
  const clause = clauseOf(turn.transcript, turn.language)
  return bounded(pauseFor(withProsody(waitFor(turn, clause), turn.prosody, clause), turn.rhythm), rules)
}

/** After more words a rising tone announces continuation; after fewer it asks a question. */
const MAX_QUESTION_WORDS = 3

function withProsody(wait: Wait, prosody: FinalProsody | null, { isQuestion, words }: Clause): Wait {
  if (prosody === null || (wait !== 'complete' && wait !== 'number' && wait !== 'doubtful')) return wait
  if (prosody === 'falling') return 'complete'
  if (isQuestion) return wait
  if (prosody === 'rising' && words.length <= MAX_QUESTION_WORDS) return 'answered'
  return wait === 'doubtful' ? 'unfinished' : 'doubtful'
}

const MAX_CHOICE_WORDS = 3

function waitFor(turn: TurnSoFar, clause: Clause): Wait {
  const { transcript, expected, language } = turn
  const { end, isVerbAlone } = clause
  const isAnswer = isYesOrNo(transcript) && end !== 'unfinished' && !clause.isTrailing
  if (expected === 'yes-no' && (isAnswer || isVerbAlone)) return 'answered'
  if (expected !== null && expected !== 'yes-no' && expected !== 'open') return waitForValue(expected, turn, clause)
  // Without a yes-or-no question, "Quero" begins a sentence.
  if (isVerbAlone && (expected === 'open' || end === 'doubtful')) return 'unfinished'
  if (expected === null && isAnswer) return 'complete'
  const dictated = dictatedPart(transcript, language)
  if (dictated !== 'none' && end !== 'hesitating') return dictated === 'partial' ? 'dictating' : 'number'
  if (clause.isQuestion && end === 'complete') return 'answered'
  if (expected === 'open' && end === 'complete' && clause.isFragment) return 'doubtful'
  // One word without a full stop, or "Quero cancelar." as one of two choices.
  if (expected !== 'yes-no' || end !== 'doubtful' || clause.words.length > MAX_CHOICE_WORDS) return end
  return clause.words.length === 1 ? 'answered' : 'complete'
}

type ValueExpectation = Exclude<Expectation, 'yes-no' | 'open'>

/** Kinds of known length: once complete, nothing follows. Others may continue ("sexta … às dez", "Maria … da Silva"). */
const fixedLength: ReadonlySet<Expectation> = new Set(['cpf', 'cnpj', 'cep', 'phone', 'email', 'plate'])
const MAX_LEAD_WORDS = 4
/** Longer than any dictated value with its corrections; bounds the cost. */
const LAST_LETTERS = 400

/** A value may span several turns, unless the caller starts over: then the parts do not fit together. */
function valueSoFar(expected: ValueExpectation, { transcript, dictated = '', language = '' }: TurnSoFar): Completeness {
  const said = transcript.slice(-LAST_LETTERS)
  const alone = completeness(expected, said, language)
  if (dictated === '' || alone === 'complete' || alone === 'none') return alone
  const joined = completeness(expected, `${dictated}, ${said}`, language)
  return joined === 'invalid' ? alone : joined
}

function waitForValue(expected: ValueExpectation, turn: TurnSoFar, clause: Clause): Wait {
  const { transcript, language = '' } = turn
  const isOpenEnded = !fixedLength.has(expected)
  const goesOn = clause.end === 'unfinished' || clause.end === 'hesitating' || isSpelling(clause)
  switch (valueSoFar(expected, turn)) {
    case 'complete':
      return isOpenEnded && goesOn ? 'awaited' : 'answered'
    case 'partial': {
      if (!isOpenEnded || goesOn) return 'awaited'
      return dictatedPart(transcript, language) === 'partial' ? 'dictating' : 'number'
    }
    case 'invalid':
      return goesOn ? 'awaited' : 'doubtful'
    case 'none':
      // "Sim." or "O meu CPF é" precede the value; a question or a refusal replaces it.
      if (clause.isQuestion && !goesOn) return 'answered'
      if (goesOn || (clause.words.length <= MAX_LEAD_WORDS && isYesOrNo(transcript))) return 'awaited'
      if (isOpenEnded || refuses(clause)) return clause.end
      // "Vou pegar o cartão.": it follows.
      return 'unfinished'
  }
}

/** "M, A, R" */
const isSpelling = ({ words }: Clause) => words.length > 1 && words.slice(-2).every((word) => /^\p{L}$/u.test(word))

const refusals: ReadonlySet<string> = new Set([
  ...['não', 'nunca', 'nenhum', 'sem', 'esqueci', 'perdi', 'prefiro'],
  ...['no', 'not', "don't", "can't", "won't", "haven't", "didn't", 'never', 'none', 'forgot', 'lost'],
  ...['nunca', 'ningún', 'sin', 'olvidé', 'perdí', 'prefiero', 'tampoco'],
])
const refuses = ({ words }: Clause) => words.some((word) => refusals.has(word))

/** Maps a turn model's probability to a pause: 20 ms if the caller has certainly finished, 3 s if certainly not. */
export function pauseForProbability(probability: number): number {
  const doubt = 1 - Math.min(1, Math.max(0, probability))
  return 20 + 500 * Math.sqrt(doubt) + 2500 * doubt ** 3
}

/** The pause from a turn model's probability. Turn models know little about digits and addresses, so dictation sets a minimum. */
export function turnModelPause(text: string, probability: number, rules: TurnRules): number {
  const dictationMs = dictatedPart(text) === 'partial' ? waits.dictating.ms : 0
  return bounded(Math.max(dictationMs, pauseForProbability(probability)), rules)
}

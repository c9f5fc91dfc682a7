// The dialogue that collects one value: `hear(state, text)` returns the next state. Pure.
import { isQuestion, isRefusal, needsTime, wantsPerson } from './answers.ts'
import type { CollectFailure } from './collect-phrases.ts'
import { applyCorrection } from './corrections.ts'
import type { Reading, ReadingContext, ValueKind } from './kinds.ts'
import { isNearlyWhole, mergedHearings } from './merge-hearings.ts'
import { readValue } from './read-value.ts'
import { digitsIn } from './spoken-numbers.ts'
import { MAX_LETTERS, wordCount } from './tokens.ts'
import { isPlainYes, yesNoIn } from './yes-no.ts'

/** What the model asked to collect. */
export type CollectRequest = {
  readonly kind: ValueKind
  /** With its article: "a data de nascimento". */
  readonly label?: string
  readonly question?: string
  /** What the caller has already said about the value. */
  readonly said?: string
  readonly confirm: boolean
  readonly isOptional: boolean
  /** Exact count, for numbers of a fixed length. */
  readonly digits?: number
}

type CollectOutcome =
  | { readonly status: 'collected'; readonly value: string; readonly isConfirmed: boolean }
  | { readonly status: 'not_collected'; readonly reason: CollectFailure; readonly lastHeard: string }

/** What is said next. */
type CollectPrompt =
  | 'ask'
  | 'ask-again'
  | 'go-on'
  | 'one-missing'
  | 'invalid'
  | 'repeat'
  | 'wait'
  | 'confirm'
  | 'confirm-corrected'
  | 'confirm-again'

export type CollectState = {
  readonly request: CollectRequest
  readonly context: ReadingContext
  /** What was said of the value so far, possibly over several turns. */
  readonly said: string
  /** The part of it that was understood. */
  readonly partial: string
  /** The complete value, to be confirmed; null until then. */
  readonly value: string | null
  /** Digits of an earlier, nearly complete attempt; '' if there was none. */
  readonly attempt: string
  readonly failures: number
  readonly turns: number
  readonly prompt: CollectPrompt
  readonly outcome: CollectOutcome | null
}

const MAX_FAILURES = 3
/** After this many turns without a result, the model takes over again. */
const MAX_TURNS = 20
/** A longer sentence without a value changes the topic. */
const MAX_OTHER_WORDS = 7
/** "just one person" */
const MAX_COUNT_WORDS = 3

export function startCollecting(request: CollectRequest, context: ReadingContext): CollectState {
  const state: CollectState = {
    request,
    context,
    said: '',
    partial: '',
    value: null,
    attempt: '',
    failures: 0,
    turns: 0,
    prompt: 'ask',
    outcome: null,
  }
  if (!request.said) return state
  const next = heardValue(state, request.said)
  // Said in passing: an invalid value does not count as a failed attempt.
  return next.value !== null || next.outcome || next.prompt === 'go-on' ? next : state
}

export function hear(state: CollectState, text: string): CollectState {
  if (state.outcome) return state
  const next = heardTurn({ ...state, turns: state.turns + 1 }, text)
  return next.outcome || next.turns < MAX_TURNS ? next : ended(next, 'too_many_attempts')
}

function heardTurn(state: CollectState, text: string): CollectState {
  const { language } = state.context
  if (state.value !== null) return hearAnswer({ ...state, value: state.value }, text)
  if (wantsPerson(text, language) && !isValueItself(state, text)) return ended(state, 'wants_person')
  if (isRefusal(text, language) && !hasValue(state, text)) return ended(state, 'refused')
  return heardValue(state, text)
}

/** "uma pessoa" answers "how many?", and supervisor@ is an address. */
function isValueItself(state: CollectState, text: string): boolean {
  const { kind } = state.request
  if (kind === 'email') return hasValue(state, text)
  return kind === 'number' && wordCount(text) <= MAX_COUNT_WORDS && read(state, text).isComplete
}

const ended = (state: CollectState, reason: CollectFailure): CollectState => ({
  ...state,
  outcome: { status: 'not_collected', reason, lastHeard: state.value ?? state.partial },
})

function failed(state: CollectState, prompt: CollectPrompt): CollectState {
  const next = { ...state, prompt, failures: state.failures + 1 }
  return next.failures >= MAX_FAILURES ? ended(next, 'too_many_attempts') : next
}

const read = ({ request, context }: CollectState, text: string): Reading => {
  const reading = readValue(request.kind, text, context)
  if (!reading.isComplete || request.kind !== 'number' || request.digits === undefined) return reading
  const { length } = reading.value
  if (length === request.digits) return reading
  return { isComplete: false, problem: length < request.digits ? 'incomplete' : 'invalid', partial: reading.value }
}

const hasValue = (state: CollectState, text: string): boolean => {
  if (state.request.kind === 'name') return false
  const reading = read(state, text)
  return reading.isComplete || reading.problem !== 'none'
}

/** The caller says part of the value, the rest of it, or repeats all of it. */
function heardValue(state: CollectState, text: string): CollectState {
  const { request, context } = state
  if (request.kind === 'name' && isOtherTopic(state, text)) return ended(state, 'other_topic')
  if (needsTime(text, context.language) && !hasDigits(state, text)) return { ...state, prompt: 'wait' }
  const corrected = correctedStart(state, text)
  const versions = corrected === null ? versionsOf(state, text) : [corrected]
  const readings = versions.map((said) => ({ said, reading: read(state, said) }))
  for (const { said, reading } of readings)
    if (reading.isComplete) return completed({ ...state, said }, reading.value, 'confirm')
  if (!hasDigits(state, text) && isUnrelated(state, text))
    return isOtherTopic(state, text) ? ended(state, 'other_topic') : failed(state, 'ask-again')
  const { said, reading } = readings.at(-1) as { said: string; reading: Unread }
  return heardPart(state, said, reading)
}

type Unread = Extract<Reading, { isComplete: false }>

/** The value is incomplete or invalid. */
function heardPart(state: CollectState, said: string, { problem, partial }: Unread): CollectState {
  const { kind } = state.request
  if (problem === 'none' || problem === 'unclear') return failed(state, 'ask-again')
  const merged = mergedHearings(kind, state.attempt, partial)
  if (merged !== null) return completed({ ...state, said: merged }, merged, 'confirm')
  const next = { ...state, attempt: isNearlyWhole(kind, partial) ? partial : state.attempt, partial }
  if (problem === 'invalid') return failed({ ...next, said: '' }, 'invalid')
  const prompt = isNearlyWhole(kind, partial) ? 'one-missing' : 'go-on'
  const progress = { ...next, said: said.slice(-MAX_LETTERS), prompt } as const
  return partial === state.partial || (prompt === state.prompt && prompt === 'one-missing')
    ? failed(progress, prompt)
    : progress
}

/** Possible readings: the value from the beginning, or its rest; an area code may come last. */
function versionsOf({ said, partial, request, context }: CollectState, text: string): string[] {
  if (said === '') return [text]
  const digits = digitsIn(text, context.language)
  const isAnew = partial !== '' && /^\d+$/.test(partial) && digits.startsWith(partial) && digits.length > partial.length
  const joined = `${said}, ${text}`
  if (isAnew) return [text]
  // Nearly all digits are a repetition, unless both parts together make one number.
  if (isNearlyWhole(request.kind, digits))
    return isNearlyWhole(request.kind, partial + digits) ? [joined, text] : [text]
  const areaCodeLast = request.kind === 'phone' && digits.length === 2 ? [`${digits} ${said}`] : []
  return [text, ...areaCodeLast, joined]
}

const beginsWithNo = /^\s*(?:n[aã]o|no|nope|opa|errado|wrong)\b/iu

/** "não, quatro cinco meia" corrects the part that was read back. */
function correctedStart({ request, context, partial, prompt }: CollectState, text: string): string | null {
  if (prompt !== 'go-on' || !beginsWithNo.test(text) || partial === '') return null
  return applyCorrection(request.kind, partial, { ...context, text })
}

const hasDigits = ({ context }: CollectState, text: string): boolean => digitsIn(text, context.language) !== ''

function completed(state: CollectState, value: string, prompt: CollectPrompt): CollectState {
  const next = { ...state, value, partial: value, prompt }
  return state.request.confirm ? next : { ...next, outcome: { status: 'collected', value, isConfirmed: false } }
}

/** The text contains nothing of the value. */
const isUnrelated = (state: CollectState, text: string): boolean => {
  const reading = read(state, text)
  return !reading.isComplete && reading.problem === 'none'
}

function isOtherTopic({ context }: CollectState, text: string): boolean {
  return isQuestion(text, context.language) || wordCount(text) > MAX_OTHER_WORDS
}

/** The answer to "is that right?": yes, no, a correction, or the value again. */
function hearAnswer(state: CollectState & { value: string }, text: string): CollectState {
  const { request, context, value } = state
  const confirmed: CollectState = { ...state, outcome: { status: 'collected', value, isConfirmed: true } }
  if (isPlainYes(text, context.language)) return confirmed
  if (wantsPerson(text, context.language)) return ended(state, 'wants_person')
  const answer = yesNoIn(text, context.language)
  const corrected = mayCorrect(state, text) ? applyCorrection(request.kind, value, { ...context, text }) : null
  if (corrected === value && answer !== 'no') return confirmed
  if (corrected !== null && corrected !== value) return hearCorrected(state, corrected)
  if (answer === 'yes') return confirmed
  if (answer === 'no') return failed({ ...state, value: null, said: '', partial: '' }, 'repeat')
  if (needsTime(text, context.language)) return { ...state, prompt: 'confirm-again' }
  return isOtherTopic(state, text) ? ended(state, 'other_topic') : failed(state, 'confirm-again')
}

/** Any word could be a name, so a correction of a name must be spelled or follow a "no". */
function mayCorrect({ request, context }: CollectState, text: string): boolean {
  if (request.kind !== 'name') return true
  const isNo = yesNoIn(text, context.language) === 'no'
  return isNo ? wordCount(text) > 1 : !isQuestion(text, context.language)
}

function hearCorrected(state: CollectState, corrected: string): CollectState {
  const reading =
    state.request.kind === 'date' || state.request.kind === 'money' ? null : read(state, written(state, corrected))
  if (reading && !reading.isComplete)
    return failed(
      { ...state, value: null, said: reading.problem === 'incomplete' ? corrected : '', partial: corrected },
      reading.problem === 'incomplete' ? 'go-on' : 'invalid',
    )
  return {
    ...state,
    value: reading?.isComplete ? reading.value : corrected,
    partial: corrected,
    prompt: 'confirm-corrected',
  }
}

/** Plates are spelled: "DE" would be read as the name of a letter. */
const written = ({ request }: CollectState, value: string): string =>
  request.kind === 'plate' ? [...value].join(' ') : value

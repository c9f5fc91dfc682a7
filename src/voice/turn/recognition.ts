// What the caller said: a complete turn, part of one, words over the agent, a backchannel, or nothing. Pure, as machine.ts.
import { type OverlapKind, overlapKind, saysOneOf, wordsIn } from './backchannel.ts'
import { awaitEndOfTurn, generateEarly, pauseFor, withoutEarlyReply, withoutOtherReply } from './end-of-turn.ts'
import { updateRhythm } from './endpointing.ts'
import { resumeTurn, say, settled, speak, takeBack, takeTurn, turnFailed, waitForCaller } from './floor.ts'
import type { TurnRules } from './rules.ts'
import type { AgentTurnMode, Recognized, TurnState, TurnStep } from './state.ts'
import { after, arm, disarm, hasFloor, joined, mayInterrupt, stay, turnIn } from './step.ts'

/** Transcribes the pending audio. */
export function recognize(state: TurnState, rules: TurnRules): TurnStep {
  const recognition = state.recognition + 1
  const next: TurnState = { ...state, recognition, isRecognizing: true, isRecognitionPartial: false }
  return stay(
    next,
    ...(state.isRecognizing ? [{ do: 'cancel-recognition' as const }] : []),
    arm('recognition', rules.recognitionTimeoutMs),
    { do: 'recognize', recognition, isUrgent: turnIn(state) !== null },
  )
}

export function recognized(before: TurnState, event: Recognized, rules: TurnRules): TurnStep {
  // If recognition fails, the partial transcript counts.
  const outcome = event.hasFailed && before.partial !== '' ? { text: before.partial, atMs: event.atMs } : event
  const state: TurnState = before.isCallerSpeaking ? before : { ...before, partial: '' }
  return withoutEmptyTurn(state.isCallerSpeaking ? heardSoFar(state, outcome, rules) : heard(state, outcome, rules))
}

/** Speech without words starts no turn of the caller. */
const withoutEmptyTurn = ({ state, commands }: TurnStep): TurnStep =>
  state.transcript === '' && state.backchannel === '' && !state.isCallerSpeaking
    ? { state: { ...state, transcriptFromMs: null }, commands }
    : { state, commands }

function heard(before: TurnState, event: Recognized, rules: TurnRules): TurnStep {
  const said = event.text.trim()
  const known = withoutOtherReply(before, said === '' ? before.transcript : wholeText(before, said))
  const { state } = known
  const next = said === '' ? nothingSaid(state, event, rules) : understood(state, said, event.atMs, rules)
  return after(known.commands, next)
}

/** A transcript that arrives while the caller is speaking: in a pause, during a long turn, or after they started again. */
function heardSoFar(state: TurnState, event: Recognized, rules: TurnRules): TurnStep {
  const said = event.text.trim()
  const { earlyRecognition, isRecognitionPartial } = state
  const isEarly = earlyRecognition !== null && !isRecognitionPartial
  const next: TurnState = { ...state, earlyRecognition: isEarly ? { transcript: event } : null }
  const isPartial = isEarly || isRecognitionPartial
  const isLastTry = turnIn(state) !== null || state.probes >= rules.maxProbes
  if (event.hasFailed && (isPartial || !isLastTry)) return stay({ ...state, earlyRecognition: null })
  if (said === '') {
    if (isPartial) return stay(next)
    // Long speech without words is noise, and so are its partial words.
    const quiet = withoutOtherReply({ ...state, isCallerSpeaking: false, partial: '' }, state.transcript)
    return after(quiet.commands, nothingSaid(quiet.state, event, rules))
  }
  const turn = turnIn(state)
  if (turn) return heardOverAgent(next, turn, said, isEarly, rules)
  const known: TurnState = { ...next, transcript: wholeText(state, said) }
  if (state.mode.name !== 'listening') return stay(known)
  if (state.probes >= rules.maxProbes && !isEarly) return interject(known, rules)
  return isEarly && pauseFor(known, rules) <= EARLY_REPLY_PAUSE_MS ? generateEarly(known, rules) : stay(known)
}

/** Before the speech has ended, a transcript that calls for a longer pause is not worth an early reply. */
export const EARLY_REPLY_PAUSE_MS = 700

/** Words over the agent end its turn before the caller has finished; a backchannel does not. */
function heardOverAgent(
  state: TurnState,
  turn: AgentTurnMode,
  said: string,
  isEarly: boolean,
  rules: TurnRules,
): TurnStep {
  if (state.hangupReason !== null) return stay(state)
  const added = addedText(state, said)
  if (turn.name === 'paused' && isIgnored(state, added))
    return isEarly ? resumeTurn(state, turn, rules) : ignored({ ...state, isCallerSpeaking: false }, turn, added, rules)
  if (isIgnored(state, added) || !interrupts(state, turn, added, rules)) return stay(state)
  return callerGoesOn(state, said)
}

/** In longer utterances the final tone says too little. */
const MAX_TONE_MS = 450
/** Relative to the caller's usual level. */
const QUIET_DB = -3

/** A single quiet word that is in no list is a misheard backchannel. */
function kindOf({ prosody, voicedMs, relativeDb }: TurnState, added: string): OverlapKind {
  const kind = overlapKind(added, voicedMs <= MAX_TONE_MS ? prosody : null)
  const isQuiet = relativeDb !== null && relativeDb < QUIET_DB
  return kind === 'words' && isQuiet && wordsIn(added).length === 1 && !added.includes('?') ? 'backchannel' : kind
}

/** Nothing, a backchannel, or a faint voice during the opening, which may be a television. */
export const isIgnored = (state: TurnState, added: string) =>
  added === '' || kindOf(state, added) === 'backchannel' || isFaintAtStart(state, added)

const MAX_FAINT_WORDS = 2

export function isFaintAtStart(state: TurnState, added: string): boolean {
  const turn = turnIn(state)
  const isOpening = turn?.kind === 'opening' && turn.hasPlayed
  return isOpening && state.relativeDb === null && wordsIn(added).length <= MAX_FAINT_WORDS
}

/** Enough words interrupt an audible agent; a cough does not. */
export function interrupts(state: TurnState, turn: AgentTurnMode, added: string, rules: TurnRules): boolean {
  const isQuestion = added.includes('?')
  const isShort = wordsIn(added).length < rules.interruptAfterWords && kindOf(state, added) === 'words' && !isQuestion
  const hasEnded = !state.isCallerSpeaking || state.earlyRecognition !== null
  const isBrief = hasEnded && turn.hasPlayed && !state.answered && state.voicedMs < rules.interruptAfterMs
  const isAudible = turn.name === 'speaking' || turn.isUrgent || isBrief
  return !isAudible || (mayInterrupt(state, rules) && !isShort)
}

/** The agent gives up its turn while the caller speaks. */
export function callerGoesOn(state: TurnState, said: string): TurnStep {
  const free = takeBack(state)
  return stay({ ...free.state, transcript: wholeText(state, said), probes: 0 }, ...free.commands)
}

/** The caller does not pause: the agent takes its turn anyway. */
function interject(state: TurnState, rules: TurnRules): TurnStep {
  const quiet = withoutEarlyReply({ ...state, isCallerSpeaking: false, talksOn: true, partial: '' })
  return after([...quiet.commands, ...disarm('early-recognition')], takeTurn(quiet.state, rules, true))
}

type TextState = Pick<TurnState, 'committed' | 'heardBefore'>

/** The text of the whole turn. If the recognizer dropped the part before a pause, both parts are joined. */
export function wholeText({ committed, heardBefore }: TextState, said: string): string {
  const [before, now] = [wordsIn(heardBefore), wordsIn(said)]
  const kept = before.filter((word) => now.includes(word)).length
  const isLost = now.length <= before.length && kept * 2 < before.length
  return joined(committed, isLost ? joined(heardBefore, said) : said)
}

/** The words since the agent took its turn. While its reply can be taken back, `said` also covers what it answers. */
export function addedText(state: TextState & Pick<TurnState, 'answered'>, said: string): string {
  const { answered } = state
  if (!answered) return said
  const whole = wholeText(state, said)
  const [before, now] = [wordsIn(answered.text), wordsIn(whole)]
  if (now.length < before.length) return ''
  if (!before.every((word, i) => word === now[i])) return now.length === before.length ? '' : whole
  let count = 0
  const tokens = whole.split(/\s+/)
  const from = tokens.findIndex((token) => {
    count += wordsIn(token).length
    return count > before.length
  })
  return from < 0 ? '' : tokens.slice(from).join(' ')
}

/** The caller used an end phrase: the agent says goodbye and hangs up. */
function farewell(state: TurnState, to: string, rules: TurnRules): TurnStep {
  const quiet = withoutEarlyReply(state)
  const free = takeBack(quiet.state)
  const heard = settled({ ...free.state, transcript: '' })
  const next: TurnState = {
    ...heard.state,
    transcript: '',
    transcriptFromMs: null,
    owesOpening: false,
    hangupReason: 'end_phrase',
  }
  const said = speak(next, 'phrase', (turn) => ({ do: 'say', turn, phrase: 'farewell', times: 0, to }), rules)
  return after([...quiet.commands, ...free.commands, ...heard.commands], said)
}

function understood(state: TurnState, said: string, atMs: number, rules: TurnRules): TurnStep {
  if (state.hangupReason !== null) return settled({ ...state, transcript: wholeText(state, said) })
  const turn = turnIn(state)
  const added = turn ? addedText(state, said) : said
  const transcript = wholeText(state, said)
  if (saysOneOf(added, rules.endPhrases)) return farewell(state, transcript, rules)
  if (turn && isIgnored(state, added)) return ignored(state, turn, added, rules)
  // Words over the agent that do not interrupt it are answered afterwards.
  if (turn && !interrupts(state, turn, added, rules))
    return settled({ ...state, transcript: joined(state.transcript, added) })
  const free = takeBack(state)
  const { lastPauseMs, rhythm } = state
  const next: TurnState = {
    ...free.state,
    transcript,
    heardBefore: transcript.slice(state.committed.length).trim(),
    lastPauseMs: null,
    rhythm: lastPauseMs === null ? rhythm : updateRhythm(rhythm, lastPauseMs),
    backchannel: '',
    reminders: 0,
    notUnderstood: 0,
    silence: 'off',
  }
  const first = [...free.commands, ...disarm('silence')]
  return after(first, awaitEndOfTurn(next, atMs, rules, turn && kindOf(state, added) === 'wait' ? rules.maxPauseMs : 0))
}

/** A backchannel, or sound without new words: the agent continues. */
function ignored(state: TurnState, turn: AgentTurnMode, added: string, rules: TurnRules): TurnStep {
  const backchannel = added !== '' && turn.hasPlayed ? joined(state.backchannel, added) : state.backchannel
  const heard = settled(state)
  const next: TurnState = { ...heard.state, backchannel }
  const first = [...heard.commands, ...(added === '' ? [] : [arm('backchannel', rules.backchannelMs)])]
  return after(first, turn.name === 'paused' ? resumeTurn(next, turn, rules) : stay(next))
}

/** One syllable is enough to answer a question ("Sim.", "Two."), and too little for some recognizers to call speech. */
const ANSWER_MS = 150
const ANSWER_DB = -3

/** A voice at the caller's level after a question: an answer that was not understood. Silence would leave them waiting. */
const isMissedAnswer = ({ expected, voicedMs, relativeDb }: TurnState) =>
  expected !== null && voicedMs >= ANSWER_MS && relativeDb !== null && relativeDb >= ANSWER_DB

function nothingSaid(state: TurnState, { atMs, hasFailed, hasSpeech }: Recognized, rules: TurnRules): TurnStep {
  const { mode } = state
  const quiet = disarm('interrupt', 'overlap')
  // While the reply can be taken back, the audio it answers stays pending.
  const heard = state.answered ? stay(state) : settled(state)
  const first = [...quiet, ...heard.commands]
  if (mode.name === 'paused') return after(first, resumeTurn(heard.state, mode, rules))
  if (hasFloor(state)) return stay(heard.state, ...first)
  if (state.transcript !== '') return after(first, awaitEndOfTurn(heard.state, atMs, rules))
  if (state.owesOpening) return stay(heard.state, ...first, arm('endpointing', rules.minPauseMs))
  if (hasFailed) return after(first, turnFailed(heard.state, 'not-heard', 'stt_error', rules))
  const hasSpoken = (hasSpeech ?? state.voicedMs >= rules.notUnderstoodMs) || isMissedAnswer(state)
  if (hasSpoken && state.notUnderstood < rules.maxNotUnderstood) {
    const next: TurnState = { ...heard.state, notUnderstood: state.notUnderstood + 1 }
    return after(first, say(next, 'not-understood', state.notUnderstood, rules))
  }
  return after(first, waitForCaller(heard.state, rules))
}

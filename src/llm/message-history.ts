// Derives the message taker's state from the history alone: which of its questions were heard, and what was answered.
import type { Message } from '../voice/ports.ts'
import { hearMessage, type MessageContext, type MessageState, noted, startMessage } from './message-dialogue.ts'
import { messagePhrasesOf } from './message-phrases.ts'
import { openingOf, questionOf } from './message-speech.ts'
import { sentencesOf, wordsIn } from './words.ts'

export type View = {
  readonly state: MessageState
  readonly say: string
  /** A model has replied since the last question. */
  readonly isSuspended: boolean
}

type Replay = {
  state: MessageState | null
  /** What the caller said before, and the unanswered part of it. */
  before: string[]
  open: string
  heard: Heard
  isSuspended: boolean
  /** How the caller's last words were interpreted. */
  last: 'answer' | 'unheard' | 'after-goodbye'
}

/** How much of our last question was heard since the caller spoke. */
type Heard = 'nothing' | 'beginning' | 'question'

/** A caller's message belongs to the dialogue if our question was heard before it. */
export function messageView(history: readonly Message[], context: MessageContext): View {
  const replay: Replay = { state: null, before: [], open: '', heard: 'nothing', isSuspended: false, last: 'unheard' }
  for (const { role, content } of history) {
    if (content.trim() === '') continue
    if (role === 'user') callerSaid(replay, content)
    if (role === 'agent') agentSaid(replay, content, context)
  }
  const { isSuspended, last } = replay
  const phrases = messagePhrasesOf(context.language)
  const state = stateNow(replay, context)
  if (!replay.state) return { state, say: `${openingOf(state)} ${questionOf(state)}`, isSuspended }
  if (last === 'after-goodbye') return { state, say: phrases.lastWord, isSuspended }
  const lead = isSuspended && state.step !== 'done' ? `${phrases.resumed} ` : ''
  return { state, say: lead + questionOf(state), isSuspended }
}

/** Includes what the caller said meanwhile without an answer. */
function stateNow({ state, before, open, isSuspended }: Replay, context: MessageContext): MessageState {
  if (!state) return startMessage(context, before, open)
  return isSuspended ? noted(state, open) : state
}

function callerSaid(replay: Replay, text: string): void {
  const { state, heard } = replay
  if (!state) replay.before.push(text)
  if (!state || replay.isSuspended) replay.open = `${replay.open} ${text}`.trim()
  if (!state) return
  if (state.step === 'done' && heard !== 'nothing') replay.last = 'after-goodbye'
  else if (heard === 'question') {
    replay.state = hearMessage(state, text)
    replay.last = 'answer'
  } else replay.last = 'unheard'
  replay.heard = 'nothing'
}

function agentSaid(replay: Replay, text: string, context: MessageContext): void {
  const state = stateNow(replay, context)
  const lead = replay.state ? '' : openingOf(state)
  const heard = heardOf(text, lead, questionOf(state))
  if (heard === 'nothing') {
    // A reminder after our question does not matter.
    if (replay.state && replay.heard === 'nothing') replay.isSuspended = true
    if (!replay.state || replay.isSuspended) replay.open = ''
    return
  }
  replay.state = state
  replay.isSuspended = false
  replay.open = ''
  replay.heard = heard
}

/** This many words identify our sentences. */
const LEADING_WORDS = 4
/** Minimum for a sentence that was cut off. */
const MIN_WORDS = 2

/** How much of lead and question the agent's text contains; it ends in an ellipsis if interrupted. */
function heardOf(text: string, lead: string, question: string): Heard {
  const said = ` ${wordsIn(text).join(' ')} `
  const has = (sentence: string, count = LEADING_WORDS) =>
    said.includes(` ${wordsIn(sentence).slice(0, count).join(' ')} `)
  const isCut = text.trimEnd().endsWith('…')
  const isOurs = lead === '' ? has(question) : has(lead)
  if (isOurs && !isCut) return 'question'
  const asked = sentencesOf(question).at(-1) ?? question
  if (isCut && (lead === '' || isOurs) && has(asked, LEADING_WORDS - 1)) return 'question'
  if (isOurs) return 'beginning'
  return isCut && endsWithStartOf(said.trim().split(' '), wordsIn(lead || question)) ? 'beginning' : 'nothing'
}

function endsWithStartOf(said: readonly string[], sentence: readonly string[]): boolean {
  for (let count = Math.min(said.length, sentence.length); count >= MIN_WORDS; count--)
    if (said.slice(-count).every((word, i) => word === sentence[i])) return true
  return false
}

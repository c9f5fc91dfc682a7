// The dialogue that takes a message: name, number, matter, read back. `hearMessage(state, text)` returns the next state. Pure.
// Each question is repeated once; then the dialogue continues without the answer.
import { foldText } from '../base/text/text.ts'
import { isQuestion, isRefusal, needsTime } from '../dictation/answers.ts'
import { type CollectState, hear, startCollecting } from '../dictation/collect-dialogue.ts'
import { applyCorrection } from '../dictation/corrections.ts'
import { readValue } from '../dictation/read-value.ts'
import { digitsIn } from '../dictation/spoken-numbers.ts'
import { wordCount } from '../dictation/tokens.ts'
import { isPlainYes, yesNoIn } from '../dictation/yes-no.ts'
import { isGreeting, signs } from './rule-phrases.ts'
import { argumentsIn } from './spoken-arguments.ts'
import { isStopWord, ruleLanguage, stemsIn, wordsIn } from './words.ts'

type MessageStep = 'name' | 'offer' | 'number' | 'matter' | 'more' | 'confirm' | 'correct' | 'done'

export type MessageContext = {
  /** BCP 47, one of the languages that are understood. */
  readonly language: string
  /** The caller's own number; null if it is not known. */
  readonly ownNumber: string | null
  readonly medium: 'voice' | 'text'
}

export type MessageState = {
  readonly context: MessageContext
  readonly step: MessageStep
  /** The question of this step is being repeated. */
  readonly isAgain: boolean
  /** The caller asked for a moment. */
  readonly isWaiting: boolean
  readonly name: string | null
  readonly phone: string | null
  readonly matter: string | null
  /** The dialogue of the number being dictated. */
  readonly dictation: CollectState | null
  readonly readBacks: number
  readonly turns: number
  /** The caller has answered the message taker, not only a model before it. */
  readonly hasAnswers: boolean
}

const MAX_MATTER = 1000
/** More words are not a name. */
const MAX_NAME_WORDS = 6
/** Fewer words probably answer a question of the model. */
const MIN_REQUEST_WORDS = 4
const MAX_READ_BACKS = 2
/** After this many turns the dialogue ends with what it has. */
const MAX_TURNS = 16

/** `before`: what the caller has said so far; `open`: the unanswered part of it. */
export function startMessage(context: MessageContext, before: readonly string[], open: string): MessageState {
  const name = before.map((said) => namedIn(said, context.language)).findLast((found) => found !== null) ?? null
  const isRequest = wordCount(open) >= MIN_REQUEST_WORDS && stemsIn(open, ruleLanguage(context.language)).size > 1
  const state: MessageState = {
    context,
    name,
    phone: null,
    dictation: null,
    readBacks: 0,
    turns: 0,
    step: 'name',
    isAgain: false,
    isWaiting: false,
    hasAnswers: false,
    matter: isRequest ? open.trim().slice(0, MAX_MATTER).toWellFormed() : null,
  }
  return name === null ? state : following(state)
}

export function hearMessage(before: MessageState, text: string): MessageState {
  if (before.step === 'done') return before
  const state = { ...before, turns: before.turns + 1, isWaiting: false }
  if (state.turns > MAX_TURNS) return { ...state, step: 'done' }
  const { language } = state.context
  if (needsTime(text, language) && digitsIn(text, language) === '' && wordCount(text) <= MAX_NAME_WORDS)
    return { ...state, isWaiting: true }
  const next = steps[state.step](state, text)
  const isLeaving = next.step === state.step && signs[ruleLanguage(language)].farewell.test(foldText(text))
  return isLeaving ? { ...next, step: 'done' } : next
}

const steps: Readonly<Record<MessageStep, (state: MessageState, text: string) => MessageState>> = {
  name: hearName,
  offer: hearOffer,
  number: hearNumber,
  matter: hearMatter,
  more: hearMore,
  confirm: hearConfirmation,
  correct: hearCorrection,
  done: (state) => state,
}

/** The step after this one. */
function following(state: MessageState): MessageState {
  const next = { ...state, isAgain: false }
  const { step, phone, matter, name, context } = next
  if (step === 'name' && phone === null) return { ...next, step: context.ownNumber === null ? 'number' : 'offer' }
  if (step === 'name' || step === 'offer' || step === 'number')
    return { ...next, step: matter === null ? 'matter' : 'more' }
  if (step === 'confirm' || next.readBacks >= MAX_READ_BACKS) return { ...next, step: 'done' }
  const isEmpty = name === null && phone === null && matter === null
  return isEmpty ? { ...next, step: 'done' } : { ...next, step: 'confirm', readBacks: next.readBacks + 1 }
}

/** Repeats the question, or continues without the answer. */
const unclear = (state: MessageState): MessageState => (state.isAgain ? following(state) : { ...state, isAgain: true })

const answered = (state: MessageState): MessageState => ({ ...state, hasAnswers: true })

function hearName(state: MessageState, text: string): MessageState {
  const { language } = state.context
  const phone = phoneIn(text, language)
  const next = phone === null ? state : answered({ ...state, phone })
  const name = namedIn(text, language) ?? bareName(text, state)
  if (name !== null) return following(answered({ ...next, name }))
  if (isRefusal(text, language)) return following(next)
  return unclear(noted(next, text))
}

/** "Maria Souza", also followed by the number. */
function bareName(text: string, { context }: MessageState): string | null {
  const { language } = context
  const said = text.split(numberFollows)[0] ?? ''
  const isOther = isQuestion(said, language) || isRefusal(said, language) || isGreetingOnly(said, context)
  if (isOther || wordCount(said) > MAX_NAME_WORDS || stemsIn(said, ruleLanguage(language)).size === 0) return null
  if (wordCount(said) <= 2 && yesNoIn(said, language) !== null) return null
  if (isSentence(said, language)) return null
  const reading = readValue('name', said, { language })
  return reading.isComplete ? reading.value : null
}

/** Words that surround names. */
const introductions: ReadonlySet<string> = new Set(
  'e o a de da do dos das meu nome sou aqui fala falar eu com bom boa dia tarde noite oi ola sim obrigado obrigada es el la me mi soy y del hola buenos buenas dias tardes noches si it is i am this my name s m hi hello good morning afternoon evening yes the'.split(
    ' ',
  ),
)

/** "Quero remarcar a consulta": names contain no stop words, apart from a few like Will and May. */
function isSentence(text: string, language: string): boolean {
  const tongue = ruleLanguage(language)
  const words = wordsIn(text)
  const odd = words.filter((word) => isStopWord(word, tongue) && !introductions.has(word)).length
  return tongue === 'en' ? odd > 1 || (odd === 1 && words.length > 2) : odd > 0
}

const numberFollows =
  /\d|\b(?:meu|o|mi|el|my|the)? ?(?:n[uú]mero|telefone|celular|tel[eé]fono|m[oó]vil|phone|number)\b/iu

function hearOffer(state: MessageState, text: string): MessageState {
  const { language, ownNumber } = state.context
  const phone = phoneIn(text, language)
  if (phone !== null) return following(answered({ ...state, phone }))
  const answer = yesNoIn(text, language)
  if (answer === 'yes') return following(answered({ ...state, phone: ownNumber }))
  const asked: MessageState = { ...state, step: 'number', isAgain: false, dictation: null }
  if (digitsIn(text, language).length > 1) return hearNumber(asked, text)
  if (answer === 'no' || isRefusal(text, language)) return asked
  if (accepts.test(foldText(text))) return following(answered({ ...state, phone: ownNumber }))
  const next = noted(state, text)
  // The number is known; the question was only whether to use it.
  return state.isAgain ? following({ ...next, phone: ownNumber }) : unclear(next)
}

/** "Pode ligar", "this one": a yes only to this question. */
const accepts =
  /\b(?:serve|pode|podem|ess[ea]|est[ea]|mesmo|mismo|misma|sirve|puede|pueden|this|works|does|same|you may)\b/

/** No question is asked a third time. */
const MAX_FAILURES = 2

function hearNumber(state: MessageState, text: string): MessageState {
  const { language, ownNumber } = state.context
  const before = state.dictation ?? startCollecting({ kind: 'phone', confirm: false, isOptional: true }, { language })
  const dictation = hear(before, text)
  const { outcome } = dictation
  if (outcome?.status === 'collected') return following(answered({ ...state, phone: outcome.value, dictation: null }))
  const next = outcome?.reason === 'other_topic' ? noted(state, text) : state
  const isGivenUp = dictation.failures >= MAX_FAILURES || (outcome !== null && outcome.reason !== 'other_topic')
  if (isGivenUp || (outcome && state.isAgain)) return following({ ...next, phone: ownNumber, dictation: null })
  return outcome ? { ...next, isAgain: true, dictation: null } : { ...next, dictation }
}

function hearMatter(state: MessageState, text: string): MessageState {
  if (isTalk(text, state)) return following(withMatter(state, text))
  return isRefusal(text, state.context.language) ? following(state) : unclear(state)
}

function hearMore(state: MessageState, text: string): MessageState {
  const { language } = state.context
  if (isPlainYes(text, language)) return { ...state, step: 'matter', isAgain: false }
  const isNothing = !isTalk(text, state) || isLeave(text, language)
  const isNo = isNothing || (yesNoIn(text, language) === 'no' && wordCount(text) <= MAX_NAME_WORDS)
  return following(isNo ? answered(state) : withMatter(state, text))
}

function hearConfirmation(state: MessageState, text: string): MessageState {
  const { language } = state.context
  const answer = yesNoIn(text, language)
  if (isPlainYes(text, language)) return following(state)
  const corrected = corrections(state, text)
  if (corrected) return readAgain(corrected)
  if (answer === 'no') {
    if (wordCount(text) > 3 && isTalk(text, state)) return readAgain(withMatter(state, text))
    return state.readBacks >= MAX_READ_BACKS ? following(state) : { ...state, step: 'correct', isAgain: false }
  }
  return answer === 'yes' ? following(state) : unclear(state)
}

function hearCorrection(state: MessageState, text: string): MessageState {
  const corrected = corrections(state, text)
  if (corrected) return readAgain(corrected)
  return isTalk(text, state) ? readAgain(withMatter(state, text)) : readAgain(state)
}

const readAgain = (state: MessageState): MessageState => following({ ...state, step: 'correct' })

/** Null if no number or name is corrected. */
function corrections(state: MessageState, text: string): MessageState | null {
  const { language } = state.context
  const phone =
    phoneIn(text, language) ??
    (state.phone !== null && digitsIn(text, language) !== ''
      ? applyCorrection('phone', state.phone, { text, language })
      : null)
  const name = namedIn(text, language)
  if (phone === null && name === null) return null
  return { ...state, phone: phone ?? state.phone, name: name ?? state.name }
}

const withMatter = (state: MessageState, text: string): MessageState => {
  const said = text.trim()
  const matter = state.matter === null ? said : `${state.matter} ${said}`
  return answered({ ...state, matter: matter.slice(0, MAX_MATTER).toWellFormed() })
}

const isLeave = (text: string, language: string): boolean => signs[ruleLanguage(language)].farewell.test(foldText(text))

/** Words beside the answer may state the matter. */
export const noted = (state: MessageState, text: string): MessageState =>
  wordCount(text) >= MIN_REQUEST_WORDS && isTalk(text, state) ? withMatter(state, text) : state

/** More than a yes, a no or a greeting. */
const isTalk = (text: string, { context }: Pick<MessageState, 'context'>): boolean =>
  /\p{L}{3}/u.test(text) &&
  stemsIn(text, ruleLanguage(context.language)).size > 0 &&
  !isGreetingOnly(text, context) &&
  !(wordCount(text) <= 2 && yesNoIn(text, context.language) !== null)

const isGreetingOnly = (text: string, { language }: MessageContext): boolean =>
  isGreeting(foldText(text)) && stemsIn(text, ruleLanguage(language)).size < 2

/** After these any word is a name; after "I am" only a capitalized one. */
const namesSomebody = /\b(?:meu nome|me chamo|em nome de|me llamo|mi nombre|a nombre de|my name)\b/

/** A name that is introduced: "my name is …". */
function namedIn(text: string, language: string): string | null {
  const parameter = { name: 'name', schema: { type: 'string' }, label: 'name' }
  const { name } = argumentsIn(text.slice(0, 500), [parameter], ruleLanguage(language)).args
  if (typeof name !== 'string' || !(/^\p{Lu}/u.test(name) || namesSomebody.test(foldText(text)))) return null
  const reading = readValue('name', name, { language })
  return reading.isComplete ? reading.value : null
}

function phoneIn(text: string, language: string): string | null {
  const reading = readValue('phone', text, { language })
  return reading.isComplete ? reading.value : null
}

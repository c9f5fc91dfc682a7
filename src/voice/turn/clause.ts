// Whether the last words of a transcript can end a turn. Pure.
// Recognizers put a full stop after most fragments, so a full stop alone means little.
import { type ClauseWords, clauseWords } from './clause-words.ts'

/** `doubtful`: may or may not be complete; `hesitating`: ends with a filler or asks for time. */
type ClauseEnd = 'complete' | 'doubtful' | 'unfinished' | 'hesitating'

export type Clause = {
  readonly end: ClauseEnd
  readonly isQuestion: boolean
  /** Ends with dots or a comma. */
  readonly isTrailing: boolean
  /** A greeting, or a fragment of a longer sentence ("para sexta", "uma consulta"). */
  readonly isFragment: boolean
  /** A single verb that may answer a question: "Quero.", "Posso." */
  readonly isVerbAlone: boolean
  readonly words: readonly string[]
}

/** Only the end of the text matters. */
const LAST_LETTERS = 320
const MAX_PHRASE = 6
const MAX_FRAGMENT_WORDS = 3
/** A list has at least this many items between commas, each of at most this many words. */
const MIN_ITEMS = 3
const MAX_ITEM_WORDS = 3
const MIN_SUBORDINATE_WORDS = 3
const MIN_RHETORICAL_WORDS = 3
/** Fewer words do not show whether this recognizer writes punctuation. */
const MIN_UNPUNCTUATED_WORDS = 4
const MIN_WISH_LETTERS = 6
const MAX_BLEND_LETTERS = 14
/** "Não tenho." is an answer; after a longer sentence more may follow: "… e eu não consigo". */
const MAX_REFUSAL_WORDS = 3

const trailingDots = /(?:…|\.\.)["'”)]?$/
const trailingComma = /[,;:–—-]["'”)]?$/

const spokenWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}']+/gu)
    ?.filter((word) => word !== "'") ?? []

/** Number of words of the longest listed phrase at the end; 0: none. */
function phraseAtEnd(words: readonly string[], list: ReadonlySet<string>): number {
  for (let length = Math.min(MAX_PHRASE, words.length); length > 0; length--)
    if (list.has(words.slice(-length).join(' '))) return length
  return 0
}

/** An infinitive after "pode" is an instruction, and complete. */
function isPhraseAtEnd(words: readonly string[], phrases: ReadonlySet<string>, { permits }: ClauseWords): boolean {
  const length = phraseAtEnd(words, phrases)
  return length > 0 && !(length === 1 && permits.has(words.at(-2) ?? ''))
}

const consistsOf = (words: readonly string[], list: ReadonlySet<string>) => list.has(words.join(' '))

/** The last sentence and its parts between commas, as words. */
function lastParts(text: string) {
  const sentences = text.split(/[.!?…]/).filter((part) => spokenWords(part).length > 0)
  const parts = (sentences.at(-1) ?? '').split(/[,;:¿¡]/)
  const segments = parts.map(spokenWords).filter((words) => words.length > 0)
  return { segments, sentence: segments.flat(), segment: segments.at(-1) ?? [], isOnly: sentences.length <= 1 }
}

/** "Sim, eu quero.", "Yes, I am." */
function isShortAnswer(segments: readonly (readonly string[])[], { answers }: ClauseWords): boolean {
  const words = segments.flat()
  return words.length > 1 && words.length <= 4 && answers.has(words[0] ?? '')
}

/** The last word needs another one. */
function endsOpen(segments: readonly (readonly string[])[], isQuestion: boolean, list: ClauseWords): boolean {
  const words = segments.flat()
  const last = words.at(-1) ?? ''
  const previous = words.at(-2) ?? ''
  if (list.closers.has((segments.at(-1) ?? []).join(' '))) return false
  if (phraseAtEnd(words, list.requests) > 0) return true
  // "Where are you from?", "De quem é?": questions end with more words than statements do.
  if (isQuestion || phraseAtEnd(words, list.endings) > 0) return false
  if (list.copulas.has(last) && words.length > 1) return !list.before.has(previous) && !isShortAnswer(segments, list)
  if (list.bound.has(last) && words.length > 1) return true
  if (list.open.has(last)) return true
  if (words.length === 1 && isWish(last, list)) return true
  if (list.verbs.has(last) && words.length > 1)
    return (
      !list.negations.has(previous) &&
      phraseAtEnd(words.slice(0, -2), list.relatives) === 0 &&
      (list.wishes.has(last) || !isShortAnswer(segments, list))
    )
  return isPhraseAtEnd(words, list.phrases, list)
}

/** Also run together, as some recognizers write it: "Elqueria." */
const isWish = (word: string, { wishes }: ClauseWords) =>
  wishes.has(word) || (word.length <= MAX_BLEND_LETTERS && [...wishes].some((wish) => isBlend(word, wish)))

const isBlend = (word: string, wish: string) => wish.length >= MIN_WISH_LETTERS && word.endsWith(wish)

/** An unfinished question: "E que horas.", "Vocês atendem.", "Do you." */
function isQuestionBegun(sentence: readonly string[], { leading, interrogatives, addressees }: ClauseWords): boolean {
  const words = sentence.slice(sentence.findIndex((word) => !leading.has(word)))
  if (consistsOf(words, interrogatives) || consistsOf(words, addressees)) return true
  return consistsOf(words.slice(0, -1), addressees)
}

/** Items between commas without an "e" before the last one. */
function isListInProgress(segments: readonly (readonly string[])[], list: ClauseWords): boolean {
  const [last = []] = segments.slice(-1)
  const items = segments.slice(-MIN_ITEMS)
  if (items.length < MIN_ITEMS || consistsOf(last, list.closers)) return false
  // "Eu queria, marcar uma consulta, para sexta": pauses, not items.
  if (list.open.has(last[0] ?? '') || last[0] === 'para') return false
  const areShort = items.slice(1).every((words) => words.length <= MAX_ITEM_WORDS)
  return areShort && !items.some((words) => list.joiners.has(words[0] ?? '') || consistsOf(words, list.closers))
}

function endOf(text: string, isQuestion: boolean, list: ClauseWords): ClauseEnd {
  const { segments, sentence, segment, isOnly } = lastParts(text)
  if (sentence.length === 0) return 'unfinished'
  if (trailingDots.test(text)) return 'hesitating'
  const heldWords = phraseAtEnd(withoutPoliteness(segments, list).flat(), list.hesitations)
  // "Como é que eu posso dizer?" asks nothing.
  if (isQuestion ? heldWords >= MIN_RHETORICAL_WORDS : heldWords > 0 || isStarter(segment, list)) return 'hesitating'
  if (trailingComma.test(text)) return 'unfinished'
  if (endsOpen(segments, isQuestion, list)) return 'unfinished'
  const isBegun = isOnly && isQuestionBegun(sentence, list)
  // "And how much?" may be complete.
  if (isQuestion) return isBegun && list.leading.has(sentence[0] ?? '') ? 'doubtful' : 'complete'
  if (isBegun) return 'unfinished'
  const isSubordinate = list.subordinators.has(sentence[0] ?? '') && sentence.length >= MIN_SUBORDINATE_WORDS
  if (isSubordinate && isOnly && segments.length === 1) return 'unfinished'
  const isStopped = /[.!]["'”)]?$/.test(text) || (isUnpunctuated(text) && sentence.length >= MIN_UNPUNCTUATED_WORDS)
  if (isListInProgress(segments, list)) return isStopped ? 'doubtful' : 'unfinished'
  const isNegated = list.verbs.has(sentence.at(-1) ?? '') && list.negations.has(sentence.at(-2) ?? '')
  const isRefusalLong = isNegated && sentence.length > MAX_REFUSAL_WORDS
  if (!isStopped || isRefusalLong || isPhraseAtEnd(sentence, list.doubtful, list)) return 'doubtful'
  return 'complete'
}

/** Lower case and no punctuation: this recognizer writes no full stops. */
const isUnpunctuated = (text: string) => /^\p{Ll}/u.test(text) && !/[.,;:!?…]/.test(text)

const isStarter = (segment: readonly string[], { starters }: ClauseWords) =>
  consistsOf(segment, starters) || segment.every((word) => starters.has(word))

const withoutPoliteness = (segments: readonly (readonly string[])[], { closers }: ClauseWords) =>
  segments.length > 1 && consistsOf(segments.at(-1) ?? [], closers) ? segments.slice(0, -1) : segments

/** Judges the end of what the caller has said; `language` is BCP 47. */
export function clauseOf(transcript: string, language?: string): Clause {
  const text = transcript.trim().slice(-LAST_LETTERS)
  const list = clauseWords(language)
  const words = spokenWords(text)
  const isQuestion = /\?["'”)]?$/.test(text)
  const isShort = words.length <= MAX_FRAGMENT_WORDS
  return {
    end: endOf(text, isQuestion, list),
    isQuestion,
    isTrailing: trailingDots.test(text) || trailingComma.test(text),
    isFragment: consistsOf(words, list.greetings) || (isShort && list.fragments.has(words[0] ?? '')),
    isVerbAlone: words.length === 1 && list.verbs.has(words[0] ?? ''),
    words,
  }
}

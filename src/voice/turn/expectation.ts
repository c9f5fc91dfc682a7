// What the agent's last words ask for, which tells endpointing what to wait for. Pure.
import { foldText } from '../../base/text/text.ts'
import { type Expectation, type QuestionWords, questionWords } from './expectation-words.ts'

/** Only the end of what the agent said matters. */
const LAST_LETTERS = 400
/** A request without an object ("Pode repetir?") refers to this many sentences before it. */
const SENTENCES_BEFORE = 2
const SHORT_REQUEST_WORDS = 7
const ELLIPSIS_WORDS = 6
/** Another item within this many words after "e" is asked for too: "nome e o seu telefone". */
const LIST_REACH = 4
const MAX_PHRASE = 5

type Sentence = { clauses: string[][]; words: string[]; isQuestion: boolean }

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

function sentencesOf(text: string): Sentence[] {
  const tail = foldText(text.slice(-LAST_LETTERS))
  return tail
    .split(/(?<=[.!?…])\s/)
    .map((sentence) => ({
      clauses: sentence
        .split(/[,;:¿¡()–—]/)
        .map(wordsOf)
        .filter((words) => words.length > 0),
      words: wordsOf(sentence),
      isQuestion: sentence.includes('?'),
    }))
    .filter(({ words }) => words.length > 0)
}

/** The longest listed phrase that starts at this word; '' if there is none. */
function phraseAt(words: readonly string[], at: number, list: { has(phrase: string): boolean }): string {
  for (let length = Math.min(MAX_PHRASE, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length).join(' ')
    if (list.has(phrase)) return phrase
  }
  return ''
}

const indexOfPhrase = (words: readonly string[], list: { has(phrase: string): boolean }): number =>
  words.findIndex((_, at) => phraseAt(words, at, list) !== '')

const wordCount = (phrase: string) => phrase.split(' ').length

/** The first item named; of several joined by "e" the last, which completes the answer. */
function namedIn(words: readonly string[], { asked, askedLast, and }: QuestionWords): Expectation | null {
  let found: Expectation | null = null
  for (let at = 0; at < words.length; at++) {
    const phrase = phraseAt(words, at, asked)
    if (phrase === '') continue
    found = asked.get(phrase) ?? null
    const next = at + wordCount(phrase)
    const joint = words.slice(next, next + LIST_REACH).indexOf(and)
    if (joint < 0) return found
    const rest = words.slice(next + joint + 1, next + joint + 1 + LIST_REACH)
    if (indexOfPhrase(rest, asked) < 0) return found
    at = next + joint
  }
  if (found) return found
  const last = indexOfPhrase(words, askedLast)
  return last < 0 ? null : (askedLast.get(phraseAt(words, last, askedLast)) ?? null)
}

/** Index of the first word after "e", "então" or a preposition. */
function startOf(clause: readonly string[], { leading, interrogatives }: QuestionWords): number {
  let at = 0
  while (at < clause.length - 1 && leading.has(clause[at] ?? '') && phraseAt(clause, at, interrogatives) === '') at++
  return at
}

type Asked = { expects: Expectation; isGeneric: boolean }
const expecting = (expects: Expectation): Asked => ({ expects, isGeneric: false })

/** What a clause of the question expects; null if it does not decide. */
function askedBy(clause: readonly string[], rest: readonly string[], words: QuestionWords): Asked | null {
  const start = startOf(clause, words)
  const isOpen = phraseAt(clause, start, words.interrogatives) !== '' || indexOfPhrase(clause, words.anywhere) >= 0
  const request = indexOfPhrase(clause, words.requests)
  if (request >= 0) {
    const after = request + wordCount(phraseAt(clause, request, words.requests))
    if (phraseAt(clause, after, words.whether) !== '') return expecting('yes-no')
    const named = namedIn(rest.slice(request), words)
    if (named && named !== 'open') return expecting(named)
    const isGeneric = !isOpen && clause.length - after <= 2 && indexOfPhrase(rest.slice(after), words.anywhere) < 0
    return { expects: 'open', isGeneric }
  }
  if (isOpen) {
    const isChoice = rest.includes(words.or)
    return expecting(namedIn(clause, words) ?? (isChoice ? 'yes-no' : 'open'))
  }
  return phraseAt(clause, start, words.verbs) !== '' ? expecting('yes-no') : null
}

/** What a question expects, by its last clause that decides. */
function askedByQuestion({ clauses, words: all }: Sentence, words: QuestionWords): Asked {
  const spoken = clauses.filter((clause) => phraseAt(clause, 0, words.polite) !== clause.join(' '))
  if (words.tags.has(spoken.at(-1)?.join(' ') ?? '')) return expecting('yes-no')
  for (let at = spoken.length - 1; at >= 0; at--) {
    const asked = askedBy(spoken[at] ?? [], spoken.slice(at).flat(), words)
    if (asked) return asked
  }
  // "E o seu telefone?"
  const named = all.length <= ELLIPSIS_WORDS ? namedIn(all, words) : null
  return expecting(named ?? 'yes-no')
}

/** "Me diga o seu CPF, por favor.": asks without a question mark. */
function askedByStatement({ clauses }: Sentence, words: QuestionWords): Asked | null {
  for (const [at, clause] of clauses.entries()) {
    const start = startOf(clause, words)
    const first = phraseAt(clause, start, words.requests)
    // "Pode falar": permission to speak is a request too.
    const second =
      first === '' && words.verbs.has(clause[start] ?? '') ? phraseAt(clause, start + 1, words.requests) : ''
    if (first === '' && second === '') continue
    const asked = askedBy(clause, clauses.slice(at).flat(), words)
    if (asked) return asked
  }
  return null
}

/** What the agent's last question or request asks for; null if there is none. */
export function expectationOf(agentText: string, language: string): Expectation | null {
  const sentences = sentencesOf(agentText)
  const words = questionWords(language)
  if (!words) return sentences.some(({ isQuestion }) => isQuestion) ? 'open' : null
  for (let at = sentences.length - 1; at >= 0; at--) {
    const sentence = sentences[at] as Sentence
    const asked = sentence.isQuestion ? askedByQuestion(sentence, words) : askedByStatement(sentence, words)
    if (!asked) continue
    if (!asked.isGeneric || sentence.words.length > SHORT_REQUEST_WORDS) return asked.expects
    for (const before of sentences.slice(Math.max(0, at - SENTENCES_BEFORE), at).reverse()) {
      const named = namedIn(before.words, words)
      if (named) return named
    }
    return asked.expects
  }
  return null
}

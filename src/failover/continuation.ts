// An answer that broke off, continued by another model: what it is asked, and the words that it repeats.
import type { Message } from '../voice/ports.ts'

/** An unfinished word is held back, so that an answer never breaks off within one; a longer run of letters is passed on. */
const MAX_WORD = 32
/** Words before the break that a model may repeat. */
const MAX_REPEATED_WORDS = 60
/** A single letter may come twice by chance. */
const MIN_REPEATED_LETTERS = 2

/** As a message of the caller's side: many models accept a system message at the start only. */
const CONTINUE =
  '<system_note>Your last answer was interrupted by a technical fault. The caller has heard exactly the words above. ' +
  'Continue from there with the very next word: do not repeat anything, do not greet, apologise or mention the fault.</system_note>'

export const continuing = (history: readonly Message[], said: string): Message[] => [
  ...history,
  { role: 'agent', content: said },
  { role: 'user', content: CONTINUE },
]

const isLetter = (char: string | undefined) => char !== undefined && /[\p{Script=Latin}\p{M}\p{N}]/u.test(char)

/** Passes words on when they are complete. */
export function wholeWords() {
  let held = ''
  return {
    push(text: string): string {
      const all = held + text
      let end = all.length
      while (end > 0 && all.length - end < MAX_WORD && isLetter(all[end - 1])) end--
      if (all.length - end === MAX_WORD) end = all.length
      // The space before it comes with it.
      while (end > 0 && end < all.length && /\s/.test(all[end - 1] as string)) end--
      held = all.slice(end)
      return all.slice(0, end)
    },
    rest(): string {
      const all = held
      held = ''
      return all
    },
  }
}

/** Joins a continuation to what was said: what it repeats is left out, and words are kept apart. */
export function withoutRepeating(said: string) {
  const suffixes = suffixesOf(said)
  const separator = /\s$/.test(said) || said === '' ? '' : ' '
  let buffer = ''
  let isDecided = false

  function decide(): string {
    isDecided = true
    const { letters, ends } = lettersOf(buffer)
    const repeated = suffixes.find(
      (suffix) =>
        suffix.length >= MIN_REPEATED_LETTERS &&
        letters.startsWith(suffix) &&
        isWordEnd(buffer, ends[suffix.length - 1]),
    )
    const rest = repeated ? afterRepeated(said, buffer.slice((ends[repeated.length - 1] as number) + 1)) : buffer
    buffer = ''
    const text = rest.trimStart()
    return text === '' ? '' : joint(text) + text
  }
  const joint = (text: string) => (/^[.,;:!?…)\]]/.test(text) ? '' : separator)

  return {
    /** Empty until it is clear whether the text repeats anything. */
    push(text: string): string {
      if (isDecided) return text
      buffer += text
      const { letters } = lettersOf(buffer)
      if (letters === '') return ''
      const mayRepeat = suffixes.some((suffix) => suffix.length >= letters.length && suffix.startsWith(letters))
      return mayRepeat ? '' : decide()
    },
    rest: (): string => (isDecided ? '' : decide()),
  }
}

/** Drops a punctuation mark that was already said, and the dots with which a model marks a continuation. */
function afterRepeated(said: string, text: string): string {
  const mark = said.trimEnd().at(-1) ?? ''
  const rest = text.trimStart()
  const isRepeated = /[.,;:!?…]/.test(mark) && rest.startsWith(mark)
  return (isRepeated ? rest.slice(mark.length) : rest).replace(/^(?:\.{3}|…)/, '')
}

const isWordEnd = (text: string, at: number | undefined) => at !== undefined && !isLetter(text[at + 1])

/** The last words as letters without spaces and marks, the longest first. */
function suffixesOf(said: string): string[] {
  const words = said
    .split(/\s+/)
    .map((word) => lettersOf(word).letters)
    .filter((word) => word !== '')
    .slice(-MAX_REPEATED_WORDS)
  return words.map((_, i) => words.slice(i).join(''))
}

/** In lower case; `ends`: where in the text each letter ends. */
function lettersOf(text: string): { letters: string; ends: number[] } {
  const ends: number[] = []
  let letters = ''
  let at = 0
  for (const char of text) {
    const lower = /[\p{L}\p{N}]/u.test(char) ? char.toLowerCase() : ''
    at += char.length
    letters += lower
    for (let i = 0; i < lower.length; i++) ends.push(at - 1)
  }
  return { letters, ends }
}

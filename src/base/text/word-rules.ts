// Small grammars over the words of a clause: "$kin nao esta|ta ~1 em_casa". A word is literal, `lig*` matches a beginning,
// `a|b` is a choice, `_` joins words of one choice, `$name` is a class, `?` at the end makes it optional, `~2` skips up to
// two words, `!a|b` must not follow, `^` and `.` are the ends of the clause.
import { foldText } from './text.ts'

type Choice = readonly string[]
type Slot =
  | { type: 'start' | 'end' }
  | { type: 'gap'; most: number }
  | { type: 'not' | 'words'; choices: readonly Choice[]; isOptional: boolean }
export type WordRule = readonly Slot[]
/** Words by name, separated by spaces. */
export type WordClasses = Readonly<Record<string, string>>

/** One rule per line. */
export const wordRules = (classes: WordClasses, text: string): readonly WordRule[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/).map((slot) => slotOf(slot, classes)))

function slotOf(slot: string, classes: WordClasses): Slot {
  if (slot === '^') return { type: 'start' }
  if (slot === '.') return { type: 'end' }
  if (slot.startsWith('~')) return { type: 'gap', most: Number(slot.slice(1)) }
  const isNot = slot.startsWith('!')
  const isOptional = slot.endsWith('?')
  const choices = slot
    .slice(isNot ? 1 : 0, isOptional ? -1 : undefined)
    .split('|')
    .flatMap((choice) => (choice.startsWith('$') ? (classes[choice.slice(1)] ?? '').split(/\s+/) : [choice]))
  return { type: isNot ? 'not' : 'words', choices: choices.map((choice) => choice.split('_')), isOptional }
}

const startsAt = (words: readonly string[], at: number, choice: Choice): boolean =>
  choice.every((word, i) => {
    const said = words[at + i]
    return said !== undefined && (word.endsWith('*') ? said.startsWith(word.slice(0, -1)) : said === word)
  })

/** Whether the rest of the rule follows at this word. */
function follows(words: readonly string[], at: number, [slot, ...rest]: WordRule): boolean {
  if (!slot) return true
  if (slot.type === 'start') return at === 0 && follows(words, at, rest)
  if (slot.type === 'end') return at === words.length && follows(words, at, rest)
  if (slot.type === 'gap') {
    for (let skipped = 0; skipped <= slot.most; skipped++) if (follows(words, at + skipped, rest)) return true
    return false
  }
  if (slot.type === 'not') return !slot.choices.some((choice) => startsAt(words, at, choice)) && follows(words, at, rest)
  const found = slot.choices.some(
    (choice) => startsAt(words, at, choice) && follows(words, at + choice.length, rest),
  )
  return found || (slot.isOptional && follows(words, at, rest))
}

export const matchesRule = (words: readonly string[], rules: readonly WordRule[]): boolean =>
  rules.some((rule) => words.some((_, at) => follows(words, at, rule)))

/** English contractions as whole words; possessives too, which does no harm here. */
const contractions: readonly (readonly [RegExp, string])[] = [
  [/\bcan['’]t\b/g, 'can not'],
  [/\bwon['’]t\b/g, 'will not'],
  [/n['’]t\b/g, ' not'],
  [/['’]s\b/g, ' is'],
  [/['’]m\b/g, ' am'],
  [/['’]re\b/g, ' are'],
  [/['’]ll\b/g, ' will'],
  [/['’]ve\b/g, ' have'],
]

/** The words of each clause, without case and accents. Only the end of a longer text counts. */
export function clausesOf(text: string, maxLetters: number): string[][] {
  let plain = foldText(text.slice(-maxLetters))
  for (const [short, long] of contractions) plain = plain.replace(short, long)
  return plain
    .split(/[,.!?;:…\n]/)
    .map((clause) => clause.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((words) => words.length > 0)
}

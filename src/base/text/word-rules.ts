// Small grammars over the words of a clause: "$kin nao esta|ta ~1 em_casa". A word is literal, `lig*` matches a beginning,
// `a|b` is a choice, `_` joins words of one choice, `$name` is a class, `?` at the end makes it optional. `~2` skips up to
// two words, `$name~2` up to two of this class. `!a|b` must not follow, `<a|b` must not precede (single words). `@` is a name of the
// person called. `^` is the beginning of the clause, `.` its end, also as a choice.
import { foldText } from './text.ts'

type Choice = readonly string[]
type Choices = {
  byFirstWord: ReadonlyMap<string, readonly Choice[]>
  /** Their first word is a beginning, or the end of the clause. */
  others: readonly Choice[]
}
type Slot =
  | { type: 'start' }
  | { type: 'end' }
  | { type: 'name' }
  /** Any words without choices. */
  | { type: 'gap'; choices: Choices | null; most: number }
  | { type: 'not'; choices: Choices }
  | { type: 'not-after'; choices: Choices }
  | { type: 'words'; choices: Choices; isOptional: boolean }
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
  if (slot === '@') return { type: 'name' }
  const [said = '', most] = slot.split('~')
  if (said === '') return { type: 'gap', choices: null, most: Number(most) }
  if (said.startsWith('!')) return { type: 'not', choices: choicesOf(said.slice(1), classes) }
  if (said.startsWith('<')) return { type: 'not-after', choices: choicesOf(said.slice(1), classes) }
  const isOptional = said.endsWith('?')
  const choices = choicesOf(isOptional ? said.slice(0, -1) : said, classes)
  return most === undefined ? { type: 'words', choices, isOptional } : { type: 'gap', choices, most: Number(most) }
}

function choicesOf(text: string, classes: WordClasses): Choices {
  const byFirstWord = new Map<string, Choice[]>()
  const others: Choice[] = []
  for (const choice of text.split('|').flatMap((one) => wordsOfClass(one, classes))) {
    const [first = ''] = choice
    if (first.endsWith('*') || first === '.') others.push(choice)
    else byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), choice])
  }
  return { byFirstWord, others }
}

function wordsOfClass(choice: string, classes: WordClasses): Choice[] {
  const words = choice.startsWith('$') ? classes[choice.slice(1)] : choice
  if (words === undefined) throw new Error(`no class ${choice}`)
  return words
    .trim()
    .split(/\s+/)
    .map((word) => word.split('_'))
}

const startsAt = (words: readonly string[], at: number, choice: Choice): boolean =>
  choice.every((word, i) => {
    if (word === '.') return at + i === words.length
    const said = words[at + i]
    return said !== undefined && (word.endsWith('*') ? said.startsWith(word.slice(0, -1)) : said === word)
  })

const none: readonly Choice[] = []
const choicesAt = (words: readonly string[], at: number, { byFirstWord, others }: Choices): readonly Choice[] => {
  const found = byFirstWord.get(words[at] ?? '') ?? none
  if (found === none && others.length === 0) return none
  return [...found, ...others].filter((choice) => startsAt(words, at, choice))
}

type Said = { words: readonly string[]; names: ReadonlySet<string> }

/** Whether the slots from this one on follow at this word. */
function follows(said: Said, at: number, { rule, from }: { rule: WordRule; from: number }): boolean {
  const slot = rule[from]
  if (!slot) return true
  const { words, names } = said
  const goesOn = (next: number) => follows(said, next, { rule, from: from + 1 })
  if (slot.type === 'start') return at === 0 && goesOn(at)
  if (slot.type === 'end') return at === words.length && goesOn(at)
  if (slot.type === 'name') return names.has(words[at] ?? '') && goesOn(at + 1)
  if (slot.type === 'gap') return afterGap(words, at, slot).some(goesOn)
  if (slot.type === 'not') return choicesAt(words, at, slot.choices).length === 0 && goesOn(at)
  if (slot.type === 'not-after') return choicesAt(words, at - 1, slot.choices).length === 0 && goesOn(at)
  const found = choicesAt(words, at, slot.choices).some(({ length }) => goesOn(at + length))
  return found || (slot.isOptional && goesOn(at))
}

/** Where the next slot may begin. */
function afterGap(words: readonly string[], at: number, { choices, most }: Slot & { type: 'gap' }): number[] {
  const ends = [at]
  for (let taken = 0, end = at; taken < most && end < words.length; taken++) {
    const choice = choices && choicesAt(words, end, choices)[0]
    if (choice === undefined) break
    end += choice?.length ?? 1
    ends.push(end)
  }
  return ends
}

const noNames: ReadonlySet<string> = new Set()

export const matchesRule = (words: readonly string[], rules: readonly WordRule[], names = noNames): boolean =>
  rules.some((rule) => words.some((_, at) => follows({ words, names }, at, { rule, from: 0 })))

/** English contractions as whole words, also as a recogniser may write them; possessives too, which does no harm here. */
const contractions: readonly (readonly [RegExp, string])[] = [
  [/\bcan['’´`]?t\b/g, 'can not'],
  [/\bwon['’´`]t\b/g, 'will not'],
  [/\b(do|does|did|is|are|was|have|has|would|could|should)n['’´`]?t\b/g, '$1 not'],
  [/['’´`]s\b/g, ' is'],
  [/\b(he|she|that|there|who)s\b/g, '$1 is'],
  [/\bi['’´`]?m\b/g, 'i am'],
  [/['’´`]re\b/g, ' are'],
  [/['’´`]ll\b/g, ' will'],
  [/\b(i|you|we|they)['’´`]?ve\b/g, '$1 have'],
  [/['’´`]d\b/g, ' would'],
]
const hesitations = new Set('ah ahn ahm eh ehm er erm ha hm hmm hum mm mmm ne uh uhm uhh umm'.split(' '))

/** Without case and accents, with contractions as whole words. */
export const plainSpeech = (text: string): string =>
  contractions.reduce((plain, [short, long]) => plain.replace(short, long), foldText(text))

/** Without hesitations and repeated words. */
export function wordsOf(clause: string): string[] {
  const words = (clause.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !hesitations.has(word))
  return words.filter((word, i) => word !== words[i - 1])
}

export const clausesIn = (text: string): string[][] =>
  plainSpeech(text)
    .split(/[,.!?;:…\n]/)
    .map(wordsOf)

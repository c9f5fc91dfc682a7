// Names, said and spelled: "Bruno, B de bola, R, U, N, O".
import { foldText } from '../base/text/text.ts'
import { complete, failed, type Reading } from './kinds.ts'
import { letterAt, type SpelledRun, spelledRuns } from './letters.ts'
import { type Item, itemsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage } from './tokens.ts'

const listed = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Phrases before the name, longest first, without accents. */
const leads: Readonly<Record<DictationLanguage, readonly string[]>> = {
  pt: [
    'meu nome completo e',
    'meu nome e',
    'o nome e',
    'nome e',
    'me chamo',
    'chamo',
    'aqui e',
    'quem fala e',
    'e o',
    'e a',
    'sou o',
    'sou a',
    'sou',
    'seria',
  ],
  en: ['my full name is', 'my name is', 'the name is', 'name is', 'this is', 'i am', 'i m', 'it is', 'it s', 'is'],
  es: ['mi nombre completo es', 'mi nombre es', 'el nombre es', 'nombre es', 'me llamo', 'soy', 'habla', 'es'],
}
/** Said around the name, or about its spelling. */
const noise: Readonly<Record<DictationLanguage, ReadonlySet<string>>> = {
  pt: listed(
    'soletrando soletro escreve se com o a meu nome sim nao oi ola bom ta ahn hum eh claro pode anotar isso mesmo obrigado obrigada por favor senhor senhora sobrenome',
  ),
  en: listed('spelled spelling spell that thats s with my name yes no hi hello uh um sure okay ok please the a thanks'),
  es: listed(
    'deletreo deletreado escribe se con el la mi nombre si no hola eh claro por favor gracias senor senora apellido',
  ),
}
/** Inside a name, in lower case. */
const particles = listed('da de do das dos e del la las los y van von di')

export function readName(text: string, language: string): Reading {
  const code = dictationLanguage(language)
  const items = afterLead(itemsIn(text, language), code)
  const runs = spelledRuns(items, language)
  const said = saidWords(items, { code, runs, language })
  const spelled = runs.map((run) => titled(run.text)).filter((word) => word.length > 1)
  const name = merged(said, spelled).join(' ').slice(0, 100)
  if (name === '') return failed('none')
  if (!/\p{L}{2}/u.test(name)) return failed('incomplete', name)
  // A single word may be followed by the surname, and spelling by more letters.
  const mayGoOn = spelled.length > 0 || !name.includes(' ')
  return mayGoOn ? { isComplete: true, value: name, isAssumed: true } : complete(name)
}

function afterLead(items: readonly Item[], code: DictationLanguage): Item[] {
  const texts = items.map(({ text }) => text)
  let from = 0
  for (const lead of leads[code]) {
    const words = lead.split(' ')
    const at = texts.findIndex((_, i) => words.every((word, k) => texts[i + k] === word))
    if (at !== -1 && isVerbRight(items, at + words.length - 1, words)) from = Math.max(from, at + words.length)
  }
  const rest = items.slice(from)
  return rest.some(({ type }) => type === 'word') ? rest : [...items]
}

/** Folding makes "é" and "e" equal, but only the verb introduces a name. */
const isVerbRight = (items: readonly Item[], at: number, words: readonly string[]): boolean =>
  words.every((word, i) => word !== 'e' || items[at - words.length + 1 + i]?.raw.toLowerCase() === 'é')

type SaidContext = { code: DictationLanguage; runs: readonly SpelledRun[]; language: string }

function saidWords(items: readonly Item[], { code, runs, language }: SaidContext): string[] {
  const words: string[] = []
  for (let i = 0; i < items.length; ) {
    const run = runs.find(({ from }) => from === i)
    if (run) {
      i = Math.max(i + 1, run.to)
      continue
    }
    const item = items[i] as Item
    const spelled = letterAt(items, i, language)
    // "com B de bola" spells the word before.
    if (spelled && spelled.items > 1) i += spelled.items
    else {
      if (isNameWord(item, code)) words.push(item.raw)
      i += 1
    }
  }
  while (words.length > 0 && particles.has((words.at(-1) ?? '').toLowerCase())) words.pop()
  while (words.length > 0 && particles.has((words[0] ?? '').toLowerCase())) words.shift()
  return words.map((word) => (particles.has(word.toLowerCase()) ? word.toLowerCase() : titled(word)))
}

const isNameWord = (item: Item, code: DictationLanguage): boolean =>
  item.type === 'word' && (item.raw.length > 1 || particles.has(item.raw)) && !noise[code].has(item.text)

const titled = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()

/** A spelled word replaces the spoken word that it resembles; otherwise it is added. */
function merged(said: readonly string[], spelled: readonly string[]): string[] {
  const words = [...said]
  for (const word of spelled) {
    const at = words.findLastIndex((each) => isAlike(each, word))
    if (at === -1) words.push(word)
    else if (foldText(words[at] ?? '') === foldText(word)) continue
    else words[at] = word
  }
  return words
}

/** At most half of the letters differ. */
function isAlike(a: string, b: string): boolean {
  const [from, to] = [foldText(a).slice(0, 30), foldText(b).slice(0, 30)]
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries())
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    row = next
  }
  return (row.at(-1) ?? 0) * 2 <= Math.max(from.length, to.length)
}

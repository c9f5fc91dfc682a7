// Spelled letters: single letters, their names in three languages, and "B de bola".
import { type Item, itemsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage } from './tokens.ts'

const named = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .flatMap((entry) => {
        const [letter = '', names = ''] = entry.split(':')
        return names.split('/').map((name) => [name, letter] as const)
      }),
  )

/** Without accents. Words that are far more often something else ("de", "e", "que") are left out. */
const letterNames: Readonly<Record<DictationLanguage, ReadonlyMap<string, string>>> = {
  pt: named(`b:be c:ce d:de f:efe/fe g:ge/gue h:aga j:jota/ji k:ka/ca l:ele/le m:eme/me n:ene/ne p:pe q:que r:erre/re s:esse/se/si
    t:te v:ve w:dabliu/dablio/duplo/dobliu y:ipsilon x:xis z:ze/zeta`),
  en: named(`a:ay b:bee/be c:cee/see/sea d:dee e:ee f:ef/eff g:gee h:aitch/haitch j:jay k:kay l:el/ell m:em n:en p:pee q:cue/queue r:ar/are
    s:ess t:tee/tea u:you v:vee w:doubleu x:ex y:why z:zee/zed`),
  es: named(`b:be c:ce d:de f:efe g:ge h:hache j:jota k:ka l:ele ll:elle m:eme n:ene ñ:eñe p:pe q:cu r:erre/ere s:ese t:te v:uve/ve
    w:uvedoble x:equis y:ye z:zeta`),
}
/** Also common words: letters only next to other spelled letters. */
const weak: Readonly<Record<DictationLanguage, ReadonlySet<string>>> = {
  pt: new Set('a e o de ele me ne se si re le que te fe ve ca esse be ce pe ge duplo'.split(' ')),
  en: new Set('a i be see sea you are why ex tea em en el ar queue'.split(' ')),
  es: new Set('a e o y u de ele ese te ve ge be ce pe'.split(' ')),
}
const exampleWords: Readonly<Record<DictationLanguage, ReadonlySet<string>>> = {
  pt: new Set(['de', 'do', 'da', 'como']),
  en: new Set(['as', 'for', 'like', 'in']),
  es: new Set(['de', 'como']),
}

/** One spelled character, and how many items it takes. `isSure`: it cannot be a common word. */
type Spelled = { readonly character: string; readonly items: number; readonly isSure: boolean }

/** The letter spelled at this item, or null. Figures are not letters. */
export function letterAt(items: readonly Item[], at: number, language: string): Spelled | null {
  const code = dictationLanguage(language)
  const item = items[at]
  if (item?.type !== 'word') return null
  const letter = letterOf(item, code)
  if (letter === null) return null
  const taken = exampleLength(items, at, { letter, code })
  const isSure = taken > 1 || !weak[code].has(item.text) || isCapital(item)
  return { character: letter, items: taken, isSure }
}

function letterOf(item: Item, code: DictationLanguage): string | null {
  if (/^\p{L}$/u.test(item.raw)) return item.text
  return letterNames[code].get(item.text) ?? null
}

const isCapital = ({ raw }: Item) => raw.length === 1 && raw !== raw.toLowerCase()

/** "B de bola", "B as in boy": the word begins with the letter. */
function exampleLength(
  items: readonly Item[],
  at: number,
  { letter, code }: { letter: string; code: DictationLanguage },
): number {
  let next = at + 1
  if (!exampleWords[code].has(items[next]?.text ?? '')) return 1
  while (exampleWords[code].has(items[next]?.text ?? '')) next += 1
  const word = items[next]
  return word?.type === 'word' && word.text.length > 1 && word.text.startsWith(letter) ? next - at + 1 : 1
}

/** Never words of a name: one of them makes its neighbours letters too. With a circumflex in Portuguese. */
const strong: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /^(?:[bcgptz]ê|k[aá]|jota|ag[aá]|erre|efe|eme|ene|xis|[ií]psilon|d[aá]bli[uo]|dobliu)$/iu,
  en: /^(?:doubleu|aitch|haitch|zed|ess|eff|pee|vee)$/i,
  es: /^(?:be|ce|ge|pe|cu|ka|jota|hache|equis|erre|efe|eme|ene|eñe|elle|zeta|uve|uvedoble|ye)$/i,
}

/** "jota pê": runs of letter names with at least one that is nothing else; one alone is a run too. */
export function namedLetterRuns(items: readonly Item[], language: string): SpelledRun[] {
  const code = dictationLanguage(language)
  const runs: SpelledRun[] = []
  for (let i = 0; i < items.length; ) {
    const from = i
    let text = ''
    let isStrong = false
    for (let letter = nameAt(items, i, language); letter !== null; letter = nameAt(items, i, language)) {
      // "é" before the first letter is a verb; "o do Osvaldo" is no letter.
      if (i === from && items[i]?.raw.toLowerCase() === 'é') break
      isStrong ||= strong[code].test(items[i]?.raw ?? '') || (letter.items > 1 && !/[aeo]/.test(letter.character))
      text += letter.character
      i += letter.items
      if (items[i]?.text === ',' && nameAt(items, i + 1, language) !== null) i += 1
    }
    if (isStrong) runs.push({ from, to: i, text })
    if (i === from) i += 1
  }
  return runs
}

const nameAt = (items: readonly Item[], at: number, language: string): Spelled | null =>
  items[at]?.digits === '' ? letterAt(items, at, language) : null

export type SpelledRun = { readonly from: number; readonly to: number; readonly text: string }

/** Runs of spelled letters, each with some that cannot be common words. */
export function spelledRuns(items: readonly Item[], language: string): SpelledRun[] {
  const runs: SpelledRun[] = []
  for (let i = 0; i < items.length; ) {
    const run = runAt(items, i, language)
    if (run) runs.push(run)
    i = run ? Math.max(i + 1, run.to) : i + 1
  }
  return runs
}

function runAt(items: readonly Item[], from: number, language: string): SpelledRun | null {
  let text = ''
  let letters = 0
  let sure = 0
  let to = from
  for (let i = from; i < items.length; ) {
    const item = items[i] as Item
    // Commas and dashes separate spelled letters; a full stop ends a sentence, but Whisper writes "B. R. U."
    if (item.type === 'mark') {
      if (text === '') return null
      i += 1
      continue
    }
    // "É r ponto almeida"
    const isVerb = i === from && item.raw.toLowerCase() === 'é'
    const spelled = isVerb ? null : letterAt(items, i, language)
    if (!spelled) break
    text += spelled.character
    letters += 1
    if (spelled.isSure) sure += 1
    i += spelled.items
    to = i
  }
  const isRun = letters === 2 ? sure === 2 : letters > 2 && (sure > 1 || sure * 2 >= letters)
  return isRun ? { from, to, text } : null
}

/** Letters and digits as one text, upper case: for plates and the alphanumeric CNPJ. */
export function charactersIn(text: string, language: string): string {
  const items = itemsIn(text, language)
  let characters = ''
  let run = { text: '', isSure: false }
  const endRun = () => {
    if (run.isSure) characters += run.text
    run = { text: '', isSure: false }
  }
  for (let i = 0; i < items.length; ) {
    const item = items[i] as Item
    const spelled = item.digits === '' && !isWritten(item) ? letterAt(items, i, language) : null
    const isVerb = item.raw.toLowerCase() === 'é' && run.text === ''
    if (item.digits !== '' || isWritten(item)) run = { text: run.text + (item.digits || item.text), isSure: true }
    else if (spelled && !isVerb) run = { text: run.text + spelled.character, isSure: run.isSure || spelled.isSure }
    else if (item.type === 'word') endRun()
    i += spelled?.items ?? 1
  }
  endRun()
  return characters.toUpperCase()
}

/** "ABC1D23" as Whisper writes it. */
const isWritten = ({ type, raw, text }: Item): boolean =>
  type === 'word' && /^\p{Lu}{2,7}$/u.test(raw) && text !== 'cnpj' && text !== 'cpf'

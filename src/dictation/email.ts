// Dictated e-mail addresses: "joão ponto silva arroba gê mail ponto com".
import { complete, failed, type Reading } from './kinds.ts'
import { namedLetterRuns, spelledRuns } from './letters.ts'
import { versionsIn } from './self-repair.ts'
import { type Item, itemsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage, MAX_LETTERS } from './tokens.ts'

const listed = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const signs: Readonly<Record<string, ReadonlySet<string>>> = {
  '@': listed('@ arroba arrouba aroba roba rouba at'),
  '.': listed('ponto dot punto period'),
  '+': listed('+ plus'),
  _: listed('_ underline underscore anderline sublinhado sublinha subguion underlaine underbar'),
  '-': listed('hifen ifen traco tracinho dash hyphen minus guion'),
}
const remarks = [
  'tudo junto e minusculo, tudo junto e em minusculo, tudo junto, tudo minusculo, tudo em minusculo, letra minuscula, letras minusculas, em minusculo',
  'e sem acento, e tudo junto, sem acento, sem ponto, sem espaco, anota ai, depois o numero, o numero',
  'all lowercase, all lower case, all one word, one word, lower case, no caps, no capitals, no spaces, no dot, then the number, the number',
  'todo junto y en minusculas, todo junto, todo en minusculas, en minusculas, y sin acento, sin acento, sin punto, luego el numero, el numero',
].flatMap((line) => line.split(', '))
/** Phrases for one sign, or for none; matched before single words. */
const phrases: readonly (readonly [string, string])[] = [
  ['a roba', '@'],
  ['a rouba', '@'],
  ['guion bajo', '_'],
  ['traco baixo', '_'],
  ['sinal de mais', '+'],
  ['guion medio', '-'],
  ['plus sign', '+'],
  ['double u', 'doubleu'],
  ['doble u', 'uvedoble'],
  ['uve doble', 'uvedoble'],
  ['doble uve', 'uvedoble'],
  ['doble ve', 'uvedoble'],
  ['duplo ve', 'dabliu'],
  ['i griega', 'ye'],
  ['i latina', 'i'],
  ['be grande', 'be'],
  ['be larga', 'be'],
  ['be alta', 'be'],
  ['ve chica', 'uve'],
  ['ve corta', 'uve'],
  ['ve baja', 'uve'],
  ...remarks.map((remark) => [remark, ''] as const),
]
const noise = listed('minusculo minuscula minusculas maiusculo lowercase ahn hum uhm eh uh um er este tipo')
/** The address begins after the last of these. */
const leads: Readonly<Record<DictationLanguage, ReadonlySet<string>>> = {
  pt: listed(
    'email mail endereco seria anota anote é ser use usa usar assim pra para pro sim claro certo ok entao manda mandar',
  ),
  en: listed('email mail address is its it mine use yeah yep to sure ok okay yes then write'),
  es: listed('email mail correo direccion es seria anote ser use usar si claro para asi'),
}

/** As heard, also by a recognizer without English, and as written. */
const providers: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gmail: 'gemail gmail gemeio dgmail jimail gimail jemail demail dimail gmeio demeio dimeio jemeio gimeio g-mail',
    hotmail: 'hotmail hot-mail rotmail rotmeu rotmeio hotmeio rotimail hotemail',
    outlook: 'outlook autlook outluque',
    icloud: 'icloud aicloud',
    yahoo: 'yahoo yahu iahu iahoo',
  }).flatMap(([host, heard]) => heard.split(' ').map((word) => [word, host] as const)),
)
/** The .com of these is never .com.br. */
const onlyCom = listed('gmail hotmail outlook icloud')
/** Hosts under .com.br: ".com" is not yet the end. */
const brazilian = listed('uol bol terra ig')
const topLevels = listed('com net org br edu gov pt es mx ar co cl uk io dev app info me us pe uy')

const ownName =
  /\b(?:meu nome|meu (?:cpf|telefone|celular|sobrenome)|my (?:own |first |last |full )?(?:and last )?name|mi nombre|mi apellido)\b(?!\s(?:é|is|es)(?!\p{L}))/iu
/** "Luiz com Z": which letter it replaces is not said. */
const spellingHint =
  /\p{L}\s(?:com|with|with a|con)\s\p{L}(?=[\s,.]|$)|\s(?:com|with|con)\s(?:dois|duas|two|double|dos|doble|duplo)\s|(?<!\p{L})(?:double\s(?!u\s)|(?<!uve\s)doble\s(?!u\s|uve\s|ve\s)|ele ele\s|esse esse\s|ese ese\s)/iu
/** "con ene": which letter it is said of is open. */
const letterHint =
  /\s(?:com|con)\s(?:ene|eñe|be|ve|uve|hache|zeta|ese|ce|ka|jota|ge|i griega|agá|cê|zê|esse|xis|dáblio|ípsilon)(?!\p{L})/iu
/** Letters, or people: "jay dot smith". */
const letterOrName = /(?<!\p{L})(?:jay|kay|dee|em|gee)(?!\p{L})/iu

export function readEmail(text: string, language: string): Reading {
  const versions = versionsIn(text, language).filter((version) => version.trim() !== '')
  if (versions.length < 2) return readAddress(text, language)
  // The last version counts if it is a whole address; a corrected part of one is asked about.
  const last = readAddress(versions.at(-1) ?? '', language)
  const isPart = !last.isComplete && versions.some((version) => readAddress(version, language).isComplete)
  return isPart ? failed('unclear') : last.isComplete ? last : readAddress(text, language)
}

function readAddress(text: string, language: string): Reading {
  // "o meu nome, arroba gmail": which name is not said.
  if (ownName.test(text.slice(0, MAX_LETTERS))) return failed('unclear')
  if ([spellingHint, letterHint].some((hint) => hint.test(text.slice(0, MAX_LETTERS)))) return failed('unclear')
  const pieces = piecesOf(text, language)
  if (language.startsWith('en') && pieces.some((piece) => letterOrName.test(piece))) return failed('unclear')
  const address = addressIn(pieces, dictationLanguage(language))
  const at = address.indexOf('@')
  if (at === -1) return address === '' || !hasSign(address) ? failed('none', address) : failed('incomplete', address)
  // "ponto traço": a word between them is missing.
  if (/[.][._-]|[_-][.]|-_|_-/.test(address.slice(0, at))) return failed('unclear', address)
  // Whisper writes "silva.arroba.gmail.com".
  const local = withoutEnds(address.slice(0, at))
  const domain = address.slice(at + 1).replace(/^[.-]{1,9}/, '')
  const labels = domain.split('.')
  // "é do Gmail": no name was said.
  if (/^(?:do|da|de|del|o|no|meu|my|mi)?$/.test(local) || domain === '') return failed('incomplete', address)
  if (labels.length === 1 && onlyCom.has(domain))
    return { isComplete: true, value: `${local}@${domain}.com`, isAssumed: true }
  if (labels.length === 1 || labels.at(-1) === '') return failed('incomplete', `${local}@${domain}`)
  if (!/^[a-z0-9_+-][a-z0-9._+-]{0,63}$/.test(local) || local.endsWith('.') || local.includes('..'))
    return failed('invalid', `${local}@${domain}`)
  if (!/^[a-z0-9.-]{1,200}$/.test(domain) || !/^[a-z]{2,24}$/.test(labels.at(-1) ?? '') || labels.includes(''))
    return failed('invalid', `${local}@${domain}`)
  const host = labels[0] ?? ''
  const mayGoOn = labels.length === 2 && labels[1] === 'com' && !onlyCom.has(host) && language.startsWith('pt')
  if (mayGoOn && brazilian.has(host)) return { isComplete: true, value: `${local}@${host}.com.br`, isAssumed: true }
  return mayGoOn ? { isComplete: true, value: `${local}@${domain}`, isAssumed: true } : complete(`${local}@${domain}`)
}

const withoutEnds = (local: string): string => local.replace(/^[.-]{1,9}/, '').replace(/(?<![.-])[.-]{1,9}$/, '')

const hasSign = (address: string) => /[._-]/.test(address)

/** Words and signs; a spelled run is one word. */
function piecesOf(text: string, language: string): string[] {
  const items = withPhrases(
    itemsIn(
      text
        .slice(0, MAX_LETTERS)
        .replace(/\be-mail\b/gi, 'email')
        .replace(/\b(it|that|address|email|mine)['’]s\b/gi, '$1 is'),
      language,
    ),
  )
  const spelled = spelledRuns(items, language)
  const named = namedLetterRuns(items, language)
  const runs = [...spelled, ...named.filter((run) => spelled.every(({ from, to }) => run.from >= to || run.to <= from))]
  const pieces: string[] = []
  for (let i = 0; i < items.length; ) {
    const run = runs.find(({ from }) => from === i)
    // "Patel, P-A-T-E-L": the word was spelled.
    if (!run || run.text !== pieces.findLast((piece) => piece !== '')) pieces.push(run ? run.text : pieceOf(items, i))
    i = run ? Math.max(i + 1, run.to) : i + 1
  }
  return pieces.filter((piece) => piece !== '')
}

/** Replaces phrases by their signs and removes remarks about spelling. */
function withPhrases(items: readonly Item[]): Item[] {
  const result: Item[] = []
  for (let i = 0; i < items.length; ) {
    const found = phrases.find(([phrase]) => phrase.split(' ').every((word, k) => items[i + k]?.text === word))
    const length = found ? found[0].split(' ').length : 1
    const item = items[i] as Item
    if (!found) result.push(item)
    else if (found[1] !== '') result.push({ ...item, type: 'word', text: found[1], raw: found[1], digits: '' })
    i += length
  }
  return result
}

function pieceOf(items: readonly Item[], at: number): string {
  const item = items[at] as Item
  if (item.digits !== '') return item.digits
  if (item.type === 'word') {
    if (noise.has(item.text)) return ''
    if (item.raw.toLowerCase() === 'é') return 'é'
    return Object.keys(signs).find((sign) => signs[sign]?.has(item.text)) ?? item.text
  }
  const next = items[at + 1]
  if (item.text === '@') return '@'
  // A full stop before a space ends a sentence, unless a top-level domain follows.
  if (item.text === '.') return next && (next.isTight || topLevels.has(next.text)) && at > 0 ? '.' : ''
  return ['_', '-', '+'].includes(item.text) && item.isTight && (next?.isTight ?? true) ? item.text : ''
}

const isSign = (piece: string | undefined) => piece === '.' || piece === '_' || piece === '-' || piece === '+'

function addressIn(pieces: readonly string[], code: DictationLanguage): string {
  const said = pieces.findLastIndex((piece, i) => piece === '@' && i < pieces.length - 1)
  const at = said === -1 ? Math.max(pieces.indexOf('@'), providerAt(pieces)) : said
  const before = at === -1 ? pieces : pieces.slice(pieces.lastIndexOf('@', at - 1) + 1, at)
  const lead = before.findLastIndex(
    (piece, i) => leads[code].has(piece) && !isSign(before[i + 1]) && !isSign(before[i - 1]),
  )
  const local = before.slice(lead + 1).join('')
  return at === -1 ? local : `${local}@${domainIn(pieces.slice(pieces[at] === '@' ? at + 1 : at))}`
}

/** Without an @, a provider after a name implies it: "joão silva gmail ponto com". */
function providerAt(pieces: readonly string[]): number {
  const at = pieces.findIndex((piece) => knownHost(piece) !== null)
  return at > 0 && !isSign(pieces[at - 1]) ? at : -1
}

/** Labels joined by dots, up to the top-level domain. */
function domainIn(pieces: readonly string[]): string {
  const labels: string[] = ['']
  for (const [i, piece] of pieces.entries()) {
    const label = labels.at(-1) ?? ''
    if (piece === '@' || piece === 'é') break
    if (label === '' && piece === '-') continue
    if (piece === '.') {
      if (label === '') continue
      labels.push('')
    } else if (labels.length > 1 && label !== '' && topLevels.has(label)) break
    else if (labels.length === 1 && knownHost(label) !== null && !isSign(piece)) {
      // "gmail com": the dot was not heard.
      if (!topLevels.has(piece)) break
      labels.push(piece)
    } else labels[labels.length - 1] = label + piece
    if (i > 30) break
  }
  const [host = '', ...rest] = labels
  return [knownHost(host) ?? host, ...rest].join('.')
}

const knownHost = (label: string): string | null => providers.get(label) ?? null

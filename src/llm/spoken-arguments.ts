// Extracts tool arguments from an utterance: numbers, dates, addresses, codes, names, choices. Never guesses.
import { patternCompiler } from '../base/text/linear-patterns.ts'
import { foldText } from '../base/text/text.ts'
import { type Language, wordsIn } from './words.ts'

type Schema = {
  type?: unknown
  enum?: unknown
  format?: unknown
  pattern?: unknown
  minimum?: unknown
  maximum?: unknown
  description?: unknown
}
export type Parameter = { name: string; schema: Schema; label: string }

/** The required parameters of a tool. */
export function requiredOf(parameters: object): Parameter[] {
  const { required, properties } = parameters as { required?: unknown; properties?: unknown }
  if (!Array.isArray(required)) return []
  const known = new Map(Object.entries((properties ?? {}) as Record<string, Schema | null>))
  return required
    .filter((name): name is string => typeof name === 'string')
    .map((name) => {
      const schema = known.get(name) ?? {}
      return { name, schema, label: labelOf(name, schema) }
    })
}

/** The parameter's name as spoken to a caller. */
function labelOf(name: string, { description }: Schema): string {
  const told = typeof description === 'string' ? (description.split(/[.;(\n]/)[0] ?? '').trim() : ''
  if (told !== '' && told.length <= 80) return told.charAt(0).toLowerCase() + told.slice(1)
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
}

/** The arguments that could be read, and the parameters that are missing. */
export function argumentsIn(
  text: string,
  parameters: readonly Parameter[],
  language: Language,
): { args: Record<string, unknown>; missing: Parameter[] } {
  const source = { text, left: withDigits(text, language) }
  const args: Record<string, unknown> = Object.create(null)
  const missing: Parameter[] = []
  for (const parameter of parameters) {
    const value = read(source, parameter)
    if (value === undefined) missing.push(parameter)
    else args[parameter.name] = value
  }
  return { args: { ...args }, missing }
}

/** A short reply to the question for a parameter may be used whole, if the parameter accepts any text. */
export const isAnyText = ({ schema }: Parameter): boolean =>
  schema.type === 'string' && schema.enum === undefined && schema.format === undefined && schema.pattern === undefined

type Source = { text: string; left: string }

/** Words used for one parameter are not used for the next. */
function take(source: Source, pattern: RegExp): string | undefined {
  const found = pattern.exec(source.left)?.[0]
  if (found !== undefined) source.left = source.left.replace(found, ' ')
  return found
}

const email = /(?<![^\s@<>,;])[^\s@<>,;]{1,64}@[^\s@<>,;]{1,255}\.[a-z]{2,24}/i
const isoDate = /\b\d{4}-\d{2}-\d{2}\b/
const dayFirst = /\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/
const telephone = /\+?\d(?:[\s().-]{0,2}\d){7,14}/
const code = /\b(?=[\p{L}\d./-]{0,64}\d)[\p{L}\d]{1,64}(?:[./-][\p{L}\d]{1,64}){0,16}\b/iu
const figure = /-?\d+(?:[.,]\d+)*/
const nameAfter =
  /(?:meu nome e|me chamo|sou o|sou a|aqui e o|aqui e a|em nome de|me llamo|mi nombre es|soy|a nombre de|my name is|this is|i am|i'm)\s+((?:\p{L}[\p{L}'’-]*\s?){1,4})/iu

const wants = {
  email: /mail|correo/,
  telephone: /phone|telefone|celular|whats|movil|telefono|mobile/,
  name: /^(name|nome|nombre)$|full_?name|(customer|caller|client|cliente)_?(name|nome)|nome_|nombre_|_name$/,
  code: /cpf|cnpj|numero|number|codigo|code|protocol|pedido|order|\bid\b|_id$|cep|zip|documento|document|placa|plate|invoice|fatura|factura/,
}

function read(source: Source, { name, schema, label }: Parameter): unknown {
  const about = `${foldText(name)} ${foldText(label)}`
  if (Array.isArray(schema.enum)) return chosen(source.text, schema.enum)
  if (schema.type === 'integer' || schema.type === 'number') return numberIn(source, schema)
  if (schema.type !== undefined && schema.type !== 'string') return undefined
  if (typeof schema.pattern === 'string') return fitting(source, schema.pattern)
  if (schema.format === 'email' || wants.email.test(about)) return take(source, email)
  if (schema.format === 'date') return dateIn(source)
  if (schema.format !== undefined) return undefined
  if (wants.telephone.test(about)) return take(source, telephone)?.replace(/[\s().-]/g, '')
  if (wants.name.test(foldText(name))) return nameIn(source.text)
  if (wants.code.test(about)) return take(source, code)
  return /["“]([^"”]{1,500})["”]/.exec(source.text)?.[1]
}

/** The choice whose words were all said; the longest if there are several. */
function chosen(text: string, choices: readonly unknown[]): unknown {
  const said = ` ${wordsIn(text).join(' ')} `
  return choices
    .filter((choice) => typeof choice === 'string' || typeof choice === 'number')
    .filter((choice) => {
      const words = wordsIn(String(choice).replace(/[_-]/g, ' ')).join(' ')
      return words !== '' && said.includes(` ${words} `)
    })
    .sort((a, b) => String(b).length - String(a).length)[0]
}

function numberIn(source: Source, { type, minimum, maximum }: Schema): number | undefined {
  const found = figure.exec(source.left)?.[0]
  if (found === undefined) return undefined
  // Two digits after the last separator are cents; three are thousands.
  const plain = found.replace(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.')
  const value = Number(plain)
  const isFit =
    Number.isFinite(value) &&
    (type !== 'integer' || Number.isSafeInteger(value)) &&
    (typeof minimum !== 'number' || value >= minimum) &&
    (typeof maximum !== 'number' || value <= maximum)
  if (!isFit) return undefined
  source.left = source.left.replace(found, ' ')
  return value
}

function dateIn(source: Source): string | undefined {
  const iso = take(source, isoDate)
  if (iso !== undefined) return iso
  const [whole = '', day = '', month = '', year = ''] = dayFirst.exec(source.left) ?? []
  if (whole === '' || Number(month) > 12 || Number(month) < 1 || Number(day) > 31 || Number(day) < 1) return undefined
  source.left = source.left.replace(whole, ' ')
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function nameIn(text: string): string | undefined {
  // Folding keeps the length of composed text, so offsets in both are the same.
  const composed = text.normalize('NFC')
  const plain = [...composed].map((letter) => foldText(letter).charAt(0) || letter).join('')
  const found = nameAfter.exec(plain)
  if (!found?.[1]) return undefined
  const start = found.index + found[0].length - found[1].length
  const words = [...composed]
    .slice(start, start + found[1].length)
    .join('')
    .trim()
    .split(/\s+/)
  const kept: string[] = []
  for (const word of words) {
    if (kept.length > 0 && /^(e|y|and|quero|queria|preciso|gostaria|quiero|necesito|i|my|meu|mi)$/i.test(word)) break
    kept.push(word)
  }
  return kept.join(' ') || undefined
}

/** The pattern is a user's, so its cost is limited. */
function fitting(source: Source, pattern: string): string | undefined {
  try {
    const compiled = patternCompiler().compile(pattern)
    const tokens = source.left.match(/\S+/g) ?? []
    const figures = source.left.replace(/\D/g, '')
    const candidates = [...tokens, ...tokens.map((token) => token.replace(/^\W{1,64}|\W{1,64}$/g, '')), figures]
    return candidates.slice(0, 200).find((candidate) => candidate !== '' && compiled.test(candidate))
  } catch {
    return undefined
  }
}

const digitWords: Readonly<Record<Language, readonly string[]>> = {
  pt: ['zero', 'um|uma', 'dois|duas', 'tres', 'quatro', 'cinco', 'seis|meia', 'sete', 'oito', 'nove'],
  es: ['cero', 'uno|una', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'],
  en: ['zero|oh', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
}

/** Two or more dictated digit words in a row become digits; the rest is unchanged. */
export function withDigits(text: string, language: Language): string {
  const digit = (word: string) => {
    const plain = foldText(word).replace(/[^\p{L}\d]/gu, '')
    if (/^\d$/.test(plain)) return plain
    const value = digitWords[language].findIndex((names) => names.split('|').includes(plain))
    return value === -1 ? undefined : String(value)
  }
  const kept: string[] = []
  let run: string[] = []
  let figures = ''
  const flush = () => {
    kept.push(...(run.length >= 2 ? [figures] : run))
    run = []
    figures = ''
  }
  for (const word of text.split(/\s+/)) {
    const value = digit(word)
    if (value === undefined) {
      flush()
      kept.push(word)
    } else {
      run.push(word)
      figures += value
    }
  }
  flush()
  return kept.join(' ')
}

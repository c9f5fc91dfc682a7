// Whether a text ends within a dictated number or address that was not asked for. Pure.
import { completeness } from '../../dictation/read-value.ts'

/** `number`: ends with a number that may be complete. */
type DictatedPart = 'none' | 'partial' | 'number'

const numberEnd = /\d[\d\s.,-]{0,160}$/
const lastDigits = /(?:\d[\s.,/-]{0,9}){1,160}$/
/** An e-mail or web address being spelled, or transcribed so far. */
const address =
  /(^|\s)(arroba|at sign|ponto|dot|punto|underline|underscore|hífen|dash|guion|guión)(?=\s|$)[^.!?]{0,160}$|\S{0,160}@\S{0,160}$/i
const wholeAddress = /@[\w-]+(\.[\w-]+)+\.?$/
const saidDigits = new RegExp(
  `(?:(?:^|[\\s,-]{1,2})(?:${[
    'zero|um|uma|dois|duas|três|tres|quatro|cinco|seis|meia|sete|oito|nove',
    'one|two|three|four|five|six|seven|eight|nine|oh',
    'cero|uno|dos|cuatro|siete|ocho|nueve',
  ].join('|')})){3,}[\\s.,-]*$`,
  'i',
)

/** Only the end of the text matters; bounds the cost of the regular expressions. */
const LAST_LETTERS = 160
const MIN_DICTATED_DIGITS = 4
/** A text of digits alone counts as dictation from this many on. */
const MIN_BARE_DIGITS = 3
/** Dates and times are not dictated digit by digit. */
const clock = /\d{1,2}\s?[:h]\s?\d{2}\.?$|\d{1,2}\/\d{1,2}(\/\d{2,4})?\.?$/

/** After these words even a few digits, or number words such as "onze", are part of that number. */
const named = /(^|\s)(cpf|cnpj|cep|telefone|celular|phone|teléfono|móvil)(?=\s)/i

const wholeKinds = ['cpf', 'cnpj', 'phone'] as const
const isWhole = (text: string, language: string) =>
  wholeKinds.some((kind) => completeness(kind, text, language) === 'complete')
const endsWithNumber = (text: string, language: string) =>
  completeness('number', text.slice(text.lastIndexOf(' ') + 1), language) !== 'none'
const isNamedPart = (text: string, language: string) => named.test(text) && endsWithNumber(text, language)

export function dictatedPart(text: string, language = 'pt'): DictatedPart {
  const said = text.trim().slice(-LAST_LETTERS)
  if (address.test(said)) return wholeAddress.test(said) ? 'number' : 'partial'
  const written = lastDigits.exec(said)?.[0].trim() ?? ''
  const isSaid = saidDigits.test(said) || isNamedPart(said, language)
  if (written === '' && !isSaid) return 'none'
  if (clock.test(said)) return 'number'
  const digits = written.replace(/\D/g, '').length
  const isYear = /^(19|20)\d\d[.,]?$/.test(written)
  const isBare = digits >= MIN_BARE_DIGITS && written.length === said.length
  const isDictated = isSaid || isBare || (digits >= MIN_DICTATED_DIGITS && !isYear)
  if (isDictated) return isWhole(said, language) ? 'number' : 'partial'
  return numberEnd.test(said) ? 'number' : 'none'
}

// Numbers in Spanish.
import { esNumerals } from '../../base/text/numerals.ts'
import type { Agreement } from './language.ts'

const { small, tens, hundreds } = esNumerals

function unit(n: number, agreement: Agreement): string {
  if (n === 1) return agreement === 'alone' ? 'uno' : agreement === 'm' ? 'un' : 'una'
  if (n === 21) return agreement === 'alone' ? 'veintiuno' : agreement === 'm' ? 'veintiún' : 'veintiuna'
  return small[n] ?? ''
}

function below1000(n: number, agreement: Agreement): string {
  if (n === 100) return 'cien'
  const parts: string[] = []
  const hundred = hundreds[Math.floor(n / 100)] ?? ''
  if (n >= 100) parts.push(agreement === 'f' && n >= 200 ? hundred.replace(/os$/, 'as') : hundred)
  const rest = n % 100
  if (rest >= 30) {
    const last = rest % 10 > 0 ? ` y ${unit(rest % 10, agreement)}` : ''
    parts.push((tens[Math.floor(rest / 10)] ?? '') + last)
  } else if (rest > 0) parts.push(unit(rest, agreement))
  return parts.join(' ')
}

function belowMillion(n: number, agreement: Agreement): string {
  const thousands = Math.floor(n / 1000)
  // Before "mil" one is short or feminine, never "uno".
  const before = agreement === 'alone' ? 'm' : agreement
  const head = thousands === 0 ? '' : thousands === 1 ? 'mil' : `${below1000(thousands, before)} mil`
  const tail = n % 1000 === 0 ? '' : below1000(n % 1000, agreement)
  return [head, tail].filter((part) => part !== '').join(' ')
}

const scales = [
  ['', ''],
  ['millón', 'millones'],
  ['billón', 'billones'],
  ['trillón', 'trillones'],
] as const

/** The long scale: a billón is a million millions. */
export function cardinal(n: bigint, agreement: Agreement): string {
  if (n === 0n) return 'cero'
  const parts: string[] = []
  for (let rest = n, scale = 0; rest > 0n; rest /= 1_000_000n, scale++) {
    const value = Number(rest % 1_000_000n)
    if (value === 0) continue
    const name = scales[scale]?.[value === 1 ? 0 : 1] ?? ''
    parts.unshift(`${belowMillion(value, scale === 0 ? agreement : 'm')} ${name}`.trim())
  }
  return parts.join(' ')
}

const units = '- primero segundo tercero cuarto quinto sexto séptimo octavo noveno'.split(' ')
const ordinalTens =
  '- décimo vigésimo trigésimo cuadragésimo quincuagésimo sexagésimo septuagésimo octogésimo nonagésimo'.split(' ')
const teens =
  'décimo undécimo duodécimo decimotercero decimocuarto decimoquinto decimosexto decimoséptimo decimoctavo decimonoveno'.split(
    ' ',
  )

/** `m`: before its noun, as in "primer piso". */
export function ordinal(n: number, agreement: Agreement): string {
  if (n < 1 || n > 100) return cardinal(BigInt(n), agreement)
  const parts =
    n === 100
      ? ['centésimo']
      : n >= 10 && n < 20
        ? [teens[n - 10] ?? '']
        : [n >= 20 ? (ordinalTens[Math.floor(n / 10)] ?? '') : '', n % 10 > 0 ? (units[n % 10] ?? '') : ''].filter(
            (part) => part !== '',
          )
  const said = parts.join(' ')
  if (agreement === 'f') return parts.map((part) => part.replace(/o$/, 'a')).join(' ')
  return agreement === 'm' ? said.replace(/(primer|tercer)o$/, '$1') : said
}

const masculine =
  /^(?:días?|problemas?|sistemas?|programas?|mapas?|temas?|climas?|planetas?|cinemas?|idiomas?|diplomas?|gramas?|kilogramas?|esquemas?|dramas?|poemas?|aromas?|síntomas?|dilemas?|sofás?|pijamas?|guardias?)$/
const feminine =
  /(?:as?|ción|ciones|sión|siones|dad|dades|tades|tad|tudes|tud|mujeres|mujer|veces|vez|noches?|tardes?|llaves?|partes?|madres?|redes|red|calles?|clases?|bases?|fases?|frases?|flores|flor|leyes|ley|series?|torres?|imágenes|imagen)$/
const notNouns =
  /^(?:a|al|la|las|de|del|y|o|u|e|en|por|para|con|sin|es|son|era|que|más|menos|hasta|ya|cada|una|esa|esas|esta|estas|su|sus|mi|mis|ella|será|está|ahora|nunca|contra|entre|desde|como|pero|si|no|se|le|lo|me|te|coma|falta|queda|quedan|fuera|años?)$/

export function agreementWith(next: string): Agreement {
  if (/^años?$/.test(next)) return 'm'
  if (notNouns.test(next)) return 'alone'
  return feminine.test(next) && !masculine.test(next) ? 'f' : 'm'
}

// Numbers in Brazilian Portuguese.
import { ptNumerals } from '../../base/text/numerals.ts'
import type { Agreement } from './language.ts'

const { small, tens, hundreds } = ptNumerals
const scales = [
  ['', ''],
  ['mil', 'mil'],
  ['milhão', 'milhões'],
  ['bilhão', 'bilhões'],
  ['trilhão', 'trilhões'],
  ['quatrilhão', 'quatrilhões'],
] as const

function below1000(n: number, isFeminine: boolean): string {
  if (n === 100) return 'cem'
  const parts: string[] = []
  const hundred = hundreds[Math.floor(n / 100)] ?? ''
  if (n >= 100) parts.push(isFeminine && n >= 200 ? hundred.replace(/os$/, 'as') : hundred)
  const rest = n % 100
  const unit = (value: number) =>
    isFeminine && value === 1 ? 'uma' : isFeminine && value === 2 ? 'duas' : (small[value] ?? '')
  if (rest >= 20) {
    parts.push(tens[Math.floor(rest / 10)] ?? '')
    if (rest % 10 > 0) parts.push(unit(rest % 10))
  } else if (rest > 0) parts.push(unit(rest))
  return parts.join(' e ')
}

export function cardinal(n: bigint, agreement: Agreement): string {
  if (n === 0n) return 'zero'
  const groups: { value: number; scale: number }[] = []
  for (let rest = n, scale = 0; rest > 0n; rest /= 1000n, scale++)
    if (rest % 1000n > 0n) groups.unshift({ value: Number(rest % 1000n), scale })
  return groups
    .map(({ value, scale }, i) => {
      // Millions are nouns: they do not agree with the counted noun.
      const count = scale === 1 && value === 1 ? '' : below1000(value, agreement === 'f' && scale <= 1)
      const name = scales[scale]?.[value === 1 ? 0 : 1] ?? ''
      const isLast = i === groups.length - 1
      const joint = i === 0 ? '' : isLast && (value < 100 || value % 100 === 0) ? ' e ' : ' '
      return joint + [count, name].filter((part) => part !== '').join(' ')
    })
    .join('')
}

const ordinalUnits = '- primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono'.split(' ')
const ordinalTens =
  '- décimo vigésimo trigésimo quadragésimo quinquagésimo sexagésimo septuagésimo octogésimo nonagésimo'.split(' ')
const ordinalHundreds =
  '- centésimo ducentésimo tricentésimo quadringentésimo quingentésimo sexcentésimo septingentésimo octingentésimo nongentésimo'.split(
    ' ',
  )

export function ordinal(n: number, agreement: Agreement): string {
  if (n < 1 || n > 1000) return cardinal(BigInt(n), agreement)
  const parts = n === 1000 ? ['milésimo'] : []
  if (n < 1000) {
    if (n >= 100) parts.push(ordinalHundreds[Math.floor(n / 100)] ?? '')
    if (n % 100 >= 10) parts.push(ordinalTens[Math.floor((n % 100) / 10)] ?? '')
    if (n % 10 > 0) parts.push(ordinalUnits[n % 10] ?? '')
  }
  return (agreement === 'f' ? parts.map((part) => part.replace(/o$/, 'a')) : parts).join(' ')
}

const masculine =
  /^(?:dias?|problemas?|sistemas?|programas?|mapas?|temas?|climas?|planetas?|cinemas?|telefonemas?|idiomas?|diplomas?|gramas?|quilogramas?|esquemas?|dramas?|poemas?|aromas?|sintomas?|teoremas?|caras?|pijamas?|sofás?|guias?|dilemas?)$/
const feminine =
  /(?:as?|ções|ção|sões|são|dades?|gens|gem|tudes?|mulheres|mulher|vezes|vez|noites?|tardes?|chaves?|partes?|mães?|mãe|redes?|frases?|bases?|fases?|classes?|flores?|cores|cor|leis?|contas|séries?|torres?|árvores?|mentes?|crianças)$/
const notNouns =
  /^(?:a|as|da|das|na|nas|à|às|uma|umas|para|pra|pela|pelas|cada|mas|essas?|estas?|aquelas?|suas?|minhas?|toda|ela|elas|era|será|está|seja|agora|ainda|fica|vira|já|lá|nunca|fora|ou|e|até|contra|sobra|falta|passa|começa|termina|mora|resta)$/

/** Looks at the next word only: good enough for nouns counted in conversation. */
export function agreementWith(next: string): Agreement {
  if (notNouns.test(next)) return 'alone'
  return feminine.test(next) && !masculine.test(next) ? 'f' : 'm'
}

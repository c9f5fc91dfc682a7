// Dictated telephone numbers: national forms of the agent's country, and international ones, as E.164.
import { isE164 } from '../base/phone-numbers/phone-number.ts'
import { complete, failed, type Reading } from './kinds.ts'
import { digitsIn } from './spoken-numbers.ts'

type Country = {
  code: string
  /** Lengths of a national number without its trunk prefix. */
  lengths: readonly number[]
}

/** By region, or by language if there is no region. */
const countries: Readonly<Record<string, Country>> = {
  pt: { code: '55', lengths: [10, 11] },
  br: { code: '55', lengths: [10, 11] },
  en: { code: '1', lengths: [10] },
  us: { code: '1', lengths: [10] },
  ca: { code: '1', lengths: [10] },
  gb: { code: '44', lengths: [10] },
  au: { code: '61', lengths: [9] },
  es: { code: '34', lengths: [9] },
  mx: { code: '52', lengths: [10] },
  co: { code: '57', lengths: [10] },
  ar: { code: '54', lengths: [10] },
  cl: { code: '56', lengths: [9] },
  pe: { code: '51', lengths: [9] },
}
const portugal: Country = { code: '351', lengths: [9] }
/** Spanish without a region: the number as it was said. */
const unknown: Country = { code: '', lengths: [9, 10] }

function countryOf(language: string): Country {
  const [code = '', region] = language.toLowerCase().split(/[-_]/)
  if (code === 'pt' && region === 'pt') return portugal
  if (code === 'es' && !region) return unknown
  return countries[region ?? code] ?? unknown
}

const plus = /\+|\bmais (?=\d|\p{L})|\bplus\b|\bm[aá]s (?=\d|\p{L})/iu

export function readPhone(text: string, language: string): Reading {
  const country = countryOf(language)
  const digits = digitsIn(text, language)
  if (digits === '') return failed('none')
  const isInternational = plus.test(text.slice(0, 500)) || digits.startsWith('00')
  if (isInternational) return readInternational(digits.replace(/^00/, ''), country)
  return country.code === '55' ? readBrazilian(digits) : readNational(digits, country)
}

function readInternational(digits: string, country: Country): Reading {
  if (country.code === '55' && digits.startsWith('55')) return readBrazilian(digits.slice(2), digits)
  const lengths = country.code !== '' && digits.startsWith(country.code) ? country.lengths : []
  const shortest = lengths.length > 0 ? country.code.length + Math.min(...lengths) : 9
  if (digits.length < shortest) return failed('incomplete', digits)
  return isE164(`+${digits}`) ? complete(`+${digits}`) : failed('invalid', digits)
}

function readNational(digits: string, { code, lengths }: Country): Reading {
  const longest = Math.max(...lengths)
  const bare = digits.length > longest && digits.startsWith('0') ? digits.slice(1) : digits
  const national = code !== '' && bare.length > longest && bare.startsWith(code) ? bare.slice(code.length) : bare
  if (lengths.includes(national.length)) return complete(code === '' ? national : `+${code}${national}`)
  return failed(national.length < longest ? 'incomplete' : 'invalid', digits)
}

/** Brazilian area codes; the others are unassigned. */
const areaCodes = new Set(
  '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'.split(
    ' ',
  ),
)

/** Area code and eight digits, or nine that begin with 9; 0800 numbers as they are. */
function readBrazilian(said: string, partial = said): Reading {
  if (/^0[3589]00/.test(said))
    return said.length < 11
      ? failed('incomplete', partial)
      : said.length === 11
        ? complete(said)
        : failed('invalid', partial)
  const national = withoutPrefixes(said)
  const isMobile = national[2] === '9'
  const length = isMobile ? 11 : 10
  if (national.length < length) return failed('incomplete', partial)
  const isKnown = areaCodes.has(national.slice(0, 2)) && /^\d\d[2-59]/.test(national)
  return national.length === length && isKnown ? complete(`+55${national}`) : failed('invalid', partial)
}

/** Without the trunk prefix, a carrier code after it, and the country code. */
function withoutPrefixes(digits: string): string {
  if (digits.startsWith('0')) {
    const bare = digits.slice(1)
    return bare.length > 11 || (bare.length === 12 && bare[4] !== '9') ? bare.slice(2) : bare
  }
  // 55 is also an area code: it is the country code only before a complete national number.
  return digits.startsWith('55') && digits.length >= 12 ? digits.slice(2) : digits
}

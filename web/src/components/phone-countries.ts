// Countries whose national number formats are understood. Other numbers are typed with + and their country code. Pure.

export type Country = {
  /** ISO 3166-1 alpha-2 code. */
  id: string
  /** Country calling code. */
  code: string
  /** The trunk prefix: dialed before a national number, but not part of it. */
  trunkPrefix: string
  /** Valid lengths of a national number without the prefix. */
  lengths: readonly number[]
  example: string
}

const country = (
  id: string,
  code: string,
  trunkPrefix: string,
  lengths: readonly number[],
  example: string,
): Country => ({
  id,
  code,
  trunkPrefix,
  lengths,
  example,
})

export const countries: readonly Country[] = [
  country('BR', '55', '0', [10, 11], '(11) 98765-4321'),
  country('US', '1', '1', [10], '(202) 555-0123'),
  country('CA', '1', '1', [10], '(416) 555-0123'),
  country('PT', '351', '', [9], '912 345 678'),
  country('ES', '34', '', [9], '912 345 678'),
  country('MX', '52', '', [10], '55 1234 5678'),
  country('AR', '54', '0', [10, 11], '11 2345-6789'),
  country('CO', '57', '', [10], '321 1234567'),
  country('CL', '56', '', [9], '9 8765 4321'),
  country('PE', '51', '0', [8, 9], '912 345 678'),
  country('UY', '598', '0', [8], '094 231 234'),
  country('PY', '595', '0', [9], '0961 456789'),
  country('BO', '591', '0', [8], '71234567'),
  country('EC', '593', '0', [8, 9], '099 123 4567'),
  country('VE', '58', '0', [10], '0412-1234567'),
  country('CR', '506', '', [8], '8312 3456'),
  country('PA', '507', '', [7, 8], '6123-4567'),
  country('GT', '502', '', [8], '5123 4567'),
  country('DO', '1', '1', [10], '(809) 234-5678'),
  country('AO', '244', '', [9], '923 123 456'),
  country('MZ', '258', '', [8, 9], '82 123 4567'),
  country('GB', '44', '0', [9, 10], '020 7183 8750'),
  country('IE', '353', '0', [7, 8, 9], '085 012 3456'),
  country('FR', '33', '0', [9], '06 12 34 56 78'),
  country('DE', '49', '0', [7, 8, 9, 10, 11], '030 123456'),
  // The leading zero of an Italian landline is part of the number.
  country('IT', '39', '', [6, 7, 8, 9, 10, 11], '06 1234 5678'),
  country('NL', '31', '0', [9], '06 12345678'),
  country('BE', '32', '0', [8, 9], '0470 12 34 56'),
  country('CH', '41', '0', [9], '078 123 45 67'),
  country('AU', '61', '0', [9], '0412 345 678'),
]

const byLanguage: Readonly<Record<string, string>> = { pt: 'BR', es: 'ES', en: 'US' }

/** The country of the browser if it is known, else the default for the page's language. */
export function usualCountry(language: string, locales: readonly string[]): Country {
  const regions = locales.map((tag) => /^[a-z]{2,3}-([A-Z]{2})\b/.exec(tag)?.[1])
  const known = regions.find((region) => countries.some(({ id }) => id === region))
  const id = known ?? byLanguage[language] ?? 'BR'
  return countries.find((one) => one.id === id) ?? (countries[0] as Country)
}

/**
 * Converts what the user typed to E.164; null if it is not a number. A number with + or 00 carries its own country
 * code.
 */
export function fullNumber(typed: string, { code, trunkPrefix, lengths }: Country): string | null {
  const bare = typed.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  if (bare.startsWith('+')) return /^\+[1-9]\d{6,14}$/.test(bare) ? bare : null
  if (!/^\d{4,15}$/.test(bare)) return null
  const fits = (digits: string) => lengths.includes(digits.length)
  const national = trunkPrefix && bare.startsWith(trunkPrefix) ? bare.slice(trunkPrefix.length) : bare
  if (fits(national)) return `+${code}${national}`
  if (fits(bare)) return `+${code}${bare}`
  // Typed with the country code, but without the plus.
  return bare.startsWith(code) && fits(bare.slice(code.length)) ? `+${bare}` : null
}

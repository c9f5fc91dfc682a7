// Names of the regions that a rule can apply to: countries, and Brazilian states. Pure.

const states: Readonly<Record<string, string>> = {
  'BR-AC': 'Acre',
  'BR-AL': 'Alagoas',
  'BR-AM': 'Amazonas',
  'BR-AP': 'Amapá',
  'BR-BA': 'Bahia',
  'BR-CE': 'Ceará',
  'BR-DF': 'Distrito Federal',
  'BR-ES': 'Espírito Santo',
  'BR-GO': 'Goiás',
  'BR-MA': 'Maranhão',
  'BR-MG': 'Minas Gerais',
  'BR-MS': 'Mato Grosso do Sul',
  'BR-MT': 'Mato Grosso',
  'BR-PA': 'Pará',
  'BR-PB': 'Paraíba',
  'BR-PE': 'Pernambuco',
  'BR-PI': 'Piauí',
  'BR-PR': 'Paraná',
  'BR-RJ': 'Rio de Janeiro',
  'BR-RN': 'Rio Grande do Norte',
  'BR-RO': 'Rondônia',
  'BR-RR': 'Roraima',
  'BR-RS': 'Rio Grande do Sul',
  'BR-SC': 'Santa Catarina',
  'BR-SE': 'Sergipe',
  'BR-SP': 'São Paulo',
  'BR-TO': 'Tocantins',
}

/** BR is Brazil, BR-RJ is Rio de Janeiro; unknown codes are returned unchanged. */
export function regionName(code: string, locale: string): string {
  if (Object.hasOwn(states, code)) return states[code] as string
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code) : code
}

export const regionNames = (codes: readonly string[], locale: string): string =>
  new Intl.ListFormat(locale, { type: 'unit' }).format(codes.map((code) => regionName(code, locale)))

/**
 * The regions that a pack for these countries can have rules for: the countries and their known states. Null means any
 * country.
 */
export function regionChoices(countries: readonly string[] | null, all: readonly string[]): string[] {
  const known = countries ?? all
  return [...known, ...(known.includes('BR') ? Object.keys(states) : [])]
}

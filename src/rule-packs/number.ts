// Telephone numbers: as people write them → E.164, and E.164 → country, regions and time zones of the person called.
import { createRequire } from 'node:module'
import { getAreaCodeInfo } from '@brazilian-utils/brazilian-utils/get-area-code-info'
import { getTimezoneByState } from '@brazilian-utils/brazilian-utils/get-timezone-by-state'
import type * as PhoneNumbers from 'libphonenumber-js/max'
import { distinctZones } from '../base/time/zone.ts'
import type { Callee } from './decision.ts'

/** Longer text is not a telephone number. */
const MAX_TEXT = 64

let library: typeof PhoneNumbers | undefined
let examples: PhoneNumbers.Examples | undefined
/** Loading takes about 0.1 s and 20 MiB: only processes that work with lists pay for it, once. */
function numbers(): typeof PhoneNumbers {
  library ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof PhoneNumbers
  return library
}

/**
 * Reads the whole text as one number; `country` (ISO 3166-1) is assumed where no country code is given. Synchronous.
 * Not accepted: extensions, which would be lost, and numbers of no country (satellite, international freephone).
 */
export function parseNumber(
  text: string,
  country: string,
): { number: string; country: string; type: string | null } | { problem: 'number_invalid' | 'number_empty' } {
  const written = text.trim()
  if (written === '') return { problem: 'number_empty' }
  const invalid = { problem: 'number_invalid' } as const
  if (written.length > MAX_TEXT) return invalid
  const { parsePhoneNumberFromString, isSupportedCountry } = numbers()
  const found = parsePhoneNumberFromString(written, {
    extract: false,
    ...(isSupportedCountry(country) ? { defaultCountry: country } : {}),
  })
  if (!found?.country || found.ext || !found.isValid()) return invalid
  return { number: found.number, country: found.country, type: found.getType() ?? null }
}

const serviceTypes: ReadonlySet<string | null> = new Set([
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'UAN',
  'VOICEMAIL',
  'PAGER',
])
/** Emergency and public services, and customer services of carriers. The numbering plan has 0800 and 4004. */
const brazilianService = /^1\d\d$|^10[356]\d{1,2}$/

/** Reads a number that a person may answer: not 0800, 0300, 4004, 190 and their like in other countries. */
export function parsePersonal(
  text: string,
  country: string,
): { number: string } | { problem: 'number_invalid' | 'number_empty' | 'number_not_callable' } {
  const parsed = parseNumber(text, country)
  if ('number' in parsed) return serviceTypes.has(parsed.type) ? { problem: 'number_not_callable' } : parsed
  const isShort = text.length <= MAX_TEXT && brazilianService.test(text.replace(/[\s.-]+/g, ''))
  return country === 'BR' && isShort ? { problem: 'number_not_callable' } : parsed
}

/** Whether an E.164 number belongs to a service instead of a person. */
export function isServiceNumber(number: string): boolean {
  const found = numbers().parsePhoneNumberFromString(number, { extract: false })
  return serviceTypes.has(found?.getType() ?? null)
}

/** Whether this country code has telephone numbers of its own. */
export const isCountry = (code: string): boolean => numbers().isSupportedCountry(code)

/** An example mobile number of the country; undefined if its numbering plan has none. */
export function exampleNumber(code: string): string | undefined {
  const { getExampleNumber, isSupportedCountry } = numbers()
  if (!isSupportedCountry(code)) return undefined
  examples ??= createRequire(import.meta.url)('libphonenumber-js/mobile/examples') as PhoneNumbers.Examples
  return getExampleNumber(code, examples)?.number
}

/** Locates an E.164 number. A number of unknown location has no country and no zones: it is never called. */
export function calleeOf(number: string): Callee {
  const area = /^\+55(\d\d)\d{8,9}$/.exec(number)?.[1]
  const local = area === undefined ? undefined : brazilianArea(area)
  if (local) return local
  const country = numbers().parsePhoneNumberFromString(number, { extract: false })?.country
  return country ? wholeCountry(country) : { country: null, regions: [], zones: [] }
}

/** Area codes that reach into another zone than that of their state's capital. */
const furtherZones: Readonly<Record<string, readonly string[]>> = {
  81: ['America/Noronha'], // Pernambuco with Fernando de Noronha
  93: ['America/Santarem'], // the west of Pará
  97: ['America/Eirunepe'], // the west of Amazonas
}

const brazil = new Map<string, Callee | undefined>()
function brazilianArea(area: string): Callee | undefined {
  if (!brazil.has(area)) brazil.set(area, readBrazilianArea(area)) // at most 100 of two digits
  return brazil.get(area)
}

function readBrazilianArea(area: string): Callee | undefined {
  const states = getAreaCodeInfo(area)?.stateCodes
  if (!states) return undefined
  const zones = states.flatMap((state) => getTimezoneByState(state) ?? [])
  return {
    country: 'BR',
    regions: states.map((state) => `BR-${state}`),
    zones: [...new Set([...zones, ...(furtherZones[area] ?? [])])],
  }
}

/** Country codes of the numbering plan that the zone data does not list. */
const zonesOfUnlisted: Readonly<Record<string, readonly string[]>> = {
  AC: ['Atlantic/St_Helena'], // Ascension
  TA: ['Atlantic/St_Helena'], // Tristan da Cunha
  XK: ['Europe/Belgrade'], // Kosovo
}

const countries = new Map<string, Callee>()
/** For an unknown region: the number may be in any zone of its country. */
function wholeCountry(country: string): Callee {
  const known = countries.get(country)
  if (known) return known
  const zones = distinctZones(zonesOfUnlisted[country] ?? zonesOf(country))
  const callee: Callee = { country, regions: [], zones }
  countries.set(country, callee) // at most the 245 countries of the numbering plan
  return callee
}

function zonesOf(country: string): readonly string[] {
  // Node 24 has getTimeZones; the type library of TypeScript does not list it yet
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones(): string[] | undefined }
  return locale.getTimeZones() ?? []
}

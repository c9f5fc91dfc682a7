// The embedded voices: their names, and the UUID of each for provider_c.
import { createHash } from 'node:crypto'
import type { Voice } from '../voice/ports.ts'

const voice = (id: string, name: string, language: string, gender: 'female' | 'male'): Voice => ({
  id,
  name,
  language,
  gender,
  description: 'Embedded: needs no key and no network',
})

/** The first voice of each language is its default. */
export const embeddedVoices: readonly Voice[] = [
  voice('pf_dora', 'Dora', 'pt-BR', 'female'),
  voice('pm_alex', 'Alex', 'pt-BR', 'male'),
  voice('pm_santa', 'Nicolau', 'pt-BR', 'male'),
  voice('af_heart', 'Heart', 'en-US', 'female'),
  voice('af_bella', 'Bella', 'en-US', 'female'),
  voice('am_michael', 'Michael', 'en-US', 'male'),
  voice('am_fenrir', 'Fenrir', 'en-US', 'male'),
  voice('ef_dora', 'Dora', 'es-ES', 'female'),
  voice('em_alex', 'Alex', 'es-ES', 'male'),
  voice('em_santa', 'Nicolás', 'es-ES', 'male'),
]

/** The text of a voice's preview. */
export const previewText: Readonly<Record<string, string>> = {
  pt: 'Olá! Eu sou uma voz do Ramal. Posso atender as suas ligações.',
  en: 'Hello! I am a voice of Ramal. I can answer your calls.',
  es: '¡Hola! Soy una voz de Ramal. Puedo atender sus llamadas.',
}

export const languageOf = (tag: string): string => tag.slice(0, 2).toLowerCase()

export const defaultVoice = (language: string): Voice =>
  embeddedVoices.find((v) => languageOf(v.language) === languageOf(language)) ?? (embeddedVoices[0] as Voice)

/** The same UUID for the same name on every machine (RFC 9562, version 8: derived from a hash). */
export function uuidOf(id: string): string {
  const hex = createHash('sha256').update(`ramal voice ${id}`).digest('hex')
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

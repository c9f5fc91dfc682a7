// Turns with the places where their callers pause, and the voices that speak them. Written for this benchmark: the rules were not made
// with them.
import { readFileSync } from 'node:fs'
import type { Language } from '../talk/dialogue.ts'

/** What the agent asked before, '' for nothing; and the parts between the pauses. */
export type PausedTurn = readonly [asked: string, parts: readonly string[]]

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`./paused-turns/${name}.json`, import.meta.url), 'utf8')) as PausedTurn[]

export const turns: Readonly<Record<Language, readonly PausedTurn[]>> = {
  'pt-BR': read('pt'),
  'en-US': read('en'),
  'es-ES': read('es'),
}
export const turnVoices: Readonly<Record<Language, readonly string[]>> = {
  'pt-BR': ['pt-alex', 'pt-dora', 'pt-santa', 'pt-fast', 'pt-old'],
  'en-US': ['en-heart', 'en-bella', 'en-michael', 'en-fenrir'],
  'es-ES': ['es-dora', 'es-alex', 'es-santa'],
}

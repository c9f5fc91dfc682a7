// When the agent is audible in the audio that a caller received, from the arrival of each packet.
import type { HeardFrame } from './line.ts'
import { FRAME_MS } from './utterance.ts'

/** In dBFS. A ducked agent is audible; comfort noise is not. */
export const AUDIBLE_DB = -48

export type Stretch = { readonly fromMs: number; readonly toMs: number }

export const audibleMs = (heard: readonly HeardFrame[]): number[] =>
  heard.filter(({ db }) => db >= AUDIBLE_DB).map(({ atMs }) => atMs)

/** Stretches of sound without a silence of `quietMs` or more. Packets jitter by up to a frame. */
export function stretchesOf(audible: readonly number[], quietMs: number): Stretch[] {
  const found: { fromMs: number; toMs: number }[] = []
  for (const atMs of audible) {
    const last = found.at(-1)
    if (last && atMs - last.toMs < quietMs) last.toMs = atMs + FRAME_MS
    else found.push({ fromMs: atMs, toMs: atMs + FRAME_MS })
  }
  return found
}

/** Silences of more than `quietMs` between two sounds. */
export const pausesOf = (audible: readonly number[], quietMs: number): Stretch[] =>
  stretchesOf(audible, quietMs).flatMap((stretch, i, all) => {
    const next = all[i + 1]
    return next ? [{ fromMs: stretch.toMs, toMs: next.fromMs }] : []
  })

export const firstAfter = (audible: readonly number[], ms: number): number | null =>
  audible.find((atMs) => atMs >= ms) ?? null

/** Whether the agent is audible around this time. */
export const isHeardAt = (audible: readonly number[], ms: number, withinMs = 250): boolean =>
  audible.some((atMs) => atMs >= ms - withinMs && atMs <= ms)

/** Frames at most this far below the agent's loud ones are at its full volume; a sentence has no longer stretch without any. */
const FULL_DB = 8
const WITHOUT_MS = 200
const BEFORE_MS = 1500

/** When the agent was last at its full volume, after this time; null: it never lowered its voice. */
export function quieterAfter(heard: readonly HeardFrame[], fromMs: number): number | null {
  const before = heard.filter(({ atMs, db }) => atMs > fromMs - BEFORE_MS && atMs <= fromMs && db >= AUDIBLE_DB)
  const loud = before.map(({ db }) => db).toSorted((a, b) => a - b)
  const limitDb = (loud[Math.floor(loud.length * 0.9)] ?? 0) - FULL_DB
  let lastMs = fromMs
  for (const { atMs, db } of heard) {
    if (atMs <= fromMs) continue
    if (atMs - lastMs >= WITHOUT_MS) return lastMs
    if (db >= limitDb) lastMs = atMs + FRAME_MS
  }
  return null
}

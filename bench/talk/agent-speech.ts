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

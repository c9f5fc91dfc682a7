// The audio of a dialogue: everything its caller says, and the background sounds of their line.

import { AUDIBLE_DB } from './agent-speech.ts'
import type { Spoken } from './caller.ts'
import type { CallerTurn, Dialogue } from './dialogue.ts'
import { television } from './dialogues.ts'
import type { Background } from './line.ts'
import { replyOf } from './model.ts'
import { atLevel, lineNoise, mixed, sounds, streetNoise, whiteNoise } from './noises.ts'
import { FRAME_MS, framesOf, levelOf, type Utterance } from './utterance.ts'
import { type Voice, type Voices, voices } from './voices.ts'

/** Babble has four voices of the caller's language. */
const babblers = { 'pt-BR': 'pt-', 'en-US': 'en-', 'es-ES': 'es-' } as const
const BABBLERS = 3

const voiceOf = (name: string): Voice => {
  const voice = voices[name]
  if (!voice) throw new Error(`no voice ${name}`)
  return voice
}

export async function spokenIn({ turns, voice, language }: Dialogue, from: Voices): Promise<Spoken> {
  const spoken = new Map<string, Utterance>()
  const words = turns.flatMap(({ parts, overlaps = [] }) => [
    ...parts.filter((part) => typeof part === 'string'),
    ...overlaps.flatMap(({ say }) => say ?? []),
  ])
  for (const text of new Set(words)) spoken.set(text, await from.say(text, voiceOf(voice), language))
  for (const [name, sound] of Object.entries(sounds)) spoken.set(name, sound())
  return spoken
}

export async function backgroundOf({ line = {}, language }: Dialogue, from: Voices): Promise<Background> {
  const { levelDb = 0, clipDb = 0, lossPercent = 0, noise, tvDb } = line
  const loops = [lineNoise()]
  const { text, voice } = television[language]
  const talk = async (name: string) => (await from.say(text, voiceOf(name), language)).pcm
  if (tvDb !== undefined) loops.push(atLevel(await talk(voice), tvDb))
  if (noise?.kind === 'white') loops.push(atLevel(whiteNoise(), -noise.snrDb))
  if (noise?.kind === 'street') loops.push(atLevel(streetNoise(), -noise.snrDb))
  if (noise?.kind === 'babble') {
    const names = Object.keys(voices).filter((name) => name.startsWith(babblers[language]))
    const talks: Int16Array[] = []
    for (const name of names.slice(0, BABBLERS)) talks.push(await talk(name))
    loops.push(atLevel(mixed(talks), -noise.snrDb))
  }
  return { loops, levelDb, clipDb, lossPercent }
}

/** Longest pause, in frames, between the first and the last sound. */
function longestPause(audible: readonly boolean[]): number {
  let [longest, current] = [0, 0]
  for (const isAudible of audible.slice(audible.indexOf(true), audible.lastIndexOf(true))) {
    current = isAudible ? 0 : current + 1
    longest = Math.max(longest, current)
  }
  return longest
}

/** The default voice of an agent in each language. */
const agentVoice = { 'pt-BR': 'pt-dora', 'en-US': 'en-heart', 'es-ES': 'es-dora' } as const

/**
 * The undisturbed version of a reply that the caller speaks over: more sound than this on the wire means that something
 * was said twice.
 */
export type ReplySound = { readonly soundMs: number; readonly longestPauseMs: number }

export async function replySounds(dialogue: Dialogue, from: Voices): Promise<ReadonlyMap<CallerTurn, ReplySound>> {
  const found = new Map<CallerTurn, ReplySound>()
  for (const turn of dialogue.turns) {
    if (turn.asks === null || turn.overlaps === undefined) continue
    const reply = replyOf(dialogue, turn.asks, turn)
    const { pcm } = await from.say(reply, voiceOf(agentVoice[dialogue.language]), dialogue.language)
    const audible = framesOf(pcm).map((frame) => levelOf(frame) >= AUDIBLE_DB)
    const soundMs = audible.filter(Boolean).length * FRAME_MS
    found.set(turn, { soundMs, longestPauseMs: longestPause(audible) * FRAME_MS })
  }
  return found
}

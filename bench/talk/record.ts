// Saves a call for listening: both directions as a WAV file, and the transcript with the levels.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wavHeader } from '../../src/audio/wav.ts'
import type { Trace } from './caller.ts'
import { wordsOf } from './dialogue.ts'
import { FRAME, LINE_HZ } from './utterance.ts'

const ROW_MS = 200
const BAR = 12
/** The bar is empty at this level and full 40 dB above it. */
const FLOOR_DB = -55

/** Caller left, agent right; each packet is placed at the time it was sent or arrived. */
function stereo(trace: Trace): Int16Array {
  const samples = Math.ceil(((trace.endedAtMs - trace.answeredAtMs) / 1000) * LINE_HZ) + FRAME
  const both = new Int16Array(2 * samples)
  const place = (frames: Trace['heard'], side: number) => {
    let next = 0
    for (const { atMs, pcm } of frames) {
      const at = Math.round(((atMs - trace.answeredAtMs) / 1000) * LINE_HZ)
      // Packets jitter: within three frames they are joined without a gap.
      next = Math.abs(at - next) > 3 * FRAME ? at : next
      for (let i = 0; i < pcm.length; i++)
        if (next + i >= 0 && next + i < samples) both[2 * (next + i) + side] = pcm[i] as number
      next += pcm.length
    }
  }
  place(trace.sent, 0)
  place(trace.heard, 1)
  return both
}

const bar = (db: number) => {
  const filled = Math.max(0, Math.min(BAR, Math.round(((db - FLOOR_DB) / 40) * BAR)))
  return '#'.repeat(filled).padEnd(BAR)
}

export function timelineOf(trace: Trace): string {
  const { answeredAtMs, wallMs, dialogue } = trace
  const events: { atMs: number; text: string }[] = []
  const tell = (atMs: number, text: string) => events.push({ atMs: atMs - answeredAtMs, text })
  for (const { turn, fromMs, toMs, overlaps } of trace.turns) {
    tell(fromMs, `CALLER begins: ${wordsOf(turn)} (asks ${turn.asks})`)
    tell(toMs, 'CALLER ends')
    for (const one of overlaps)
      tell(
        one.fromMs,
        `OVERLAP: ${one.overlap.say ?? one.overlap.sound} until +${Math.round(one.toMs - one.fromMs)} ms`,
      )
  }
  for (const { atMs, heard, intent, answer } of trace.requests)
    tell(atMs, `model asked: "${heard}" = ${intent} -> ${answer.slice(0, 40)}`)
  for (const { timestamp, type, content } of trace.record.messages)
    tell(Date.parse(timestamp) - wallMs, `transcript ${type}: ${content}`)
  events.sort((a, b) => a.atMs - b.atMs)
  const level = (frames: Trace['heard'], fromMs: number) =>
    frames.reduce((most, { atMs, db }) => {
      const at = atMs - answeredAtMs
      return at >= fromMs && at < fromMs + ROW_MS ? Math.max(most, db) : most
    }, -100)
  const rows: string[] = [`${dialogue.id} (${dialogue.class}, ${dialogue.voice}): seconds, caller, agent, events`]
  for (let ms = 0; ms < trace.endedAtMs - answeredAtMs; ms += ROW_MS) {
    const now = events
      .filter(({ atMs }) => atMs >= ms && atMs < ms + ROW_MS)
      .map(({ atMs, text }) => `[${(atMs / 1000).toFixed(2)}] ${text}`)
    const levels = `${(ms / 1000).toFixed(1).padStart(5)} |${bar(level(trace.sent, ms))}|${bar(level(trace.heard, ms))}|`
    rows.push(`${levels} ${now.join('; ')}`.trimEnd())
  }
  const turns = trace.record.turns.map((turn) => JSON.stringify(turn))
  return `${[...rows, '', 'Turns of the API:', ...turns].join('\n')}\n`
}

export function save(trace: Trace, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const pcm = stereo(trace)
  const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const frameCount = pcm.length / 2
  writeFileSync(join(folder, `${trace.dialogue.id}.wav`), Buffer.concat([wavHeader(LINE_HZ, frameCount, 2), bytes]))
  writeFileSync(join(folder, `${trace.dialogue.id}.txt`), timelineOf(trace))
}

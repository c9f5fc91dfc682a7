// A real phone whose user asks questions aloud, and what it receives meanwhile: when the agent is audible, to 10 ms.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { joinPcm } from '../../src/audio/pcm.ts'
import { pcmOf, WAV_HEADER_BYTES, wavFile } from '../../src/audio/wav.ts'
import { startBaresip } from '../phones/baresip.ts'
import { envelopeOf } from '../sound-measures.ts'
import { robotSpeech } from '../sounds.ts'
import { until } from '../until.ts'
import { type Heard, heardIn } from '../vendors/spelled-tone.ts'

export const RATE_HZ = 8000
/** The phone hangs up when its audio file ends, so this is long. */
const SILENCE = new Int16Array(RATE_HZ * 120)

const AUDIBLE = 0.01
const VOICED = 0.03

/** When the caller speaks, on the clock of the received audio. */
export type Spoken = { fromMs: number; toMs: number }
export type PhoneCaller = Awaited<ReturnType<typeof startCaller>>

/** The synthesized text, trimmed to its first and last sound. */
export async function askAloud(text: string): Promise<Int16Array> {
  const pcm = await robotSpeech(text, 'pt-br', RATE_HZ)
  const isLoud = (peak: number) => peak > VOICED
  const peaks = envelopeOf(pcm, RATE_HZ)
  const ms10 = RATE_HZ / 100
  return pcm.slice(peaks.findIndex(isLoud) * ms10, (peaks.findLastIndex(isLoud) + 1) * ms10)
}

export async function startCaller(folder: string, user: string, answer: 'auto' | 'manual' = 'auto') {
  let files = 0
  const file = (pcm: Int16Array) => {
    const path = join(folder, `${user}-${++files}.wav`)
    writeFileSync(path, wavFile(joinPcm([pcm, SILENCE]), RATE_HZ))
    return path
  }
  const nothing = file(new Int16Array(0))
  const phone = await startBaresip({ user, says: { wav: nothing }, codecs: ['pcma'], answer })
  let earlier = ''

  function received(): Int16Array {
    const path = phone.heard()
    if (path === earlier || !existsSync(path)) return new Int16Array(0)
    const bytes = readFileSync(path)
    return pcmOf(bytes.subarray(WAV_HEADER_BYTES, bytes.length - ((bytes.length - WAV_HEADER_BYTES) % 2)))
  }
  const nowMs = () => (received().length * 1000) / RATE_HZ

  return {
    phone,
    nowMs,
    /** All sounds since the call began. */
    heard: (): Heard[] => heardIn(received(), RATE_HZ),
    received,
    /** The agent's first sound after this moment and its last so far; null: none yet. Cheaper than `heard`. */
    soundAfter(ms: number): { fromMs: number; toMs: number } | null {
      const later = envelopeOf(received().subarray(Math.round((ms * RATE_HZ) / 1000)), RATE_HZ)
      const first = later.findIndex((peak) => peak > AUDIBLE)
      return first < 0
        ? null
        : { fromMs: ms + first * 10, toMs: ms + later.findLastIndex((peak) => peak > AUDIBLE) * 10 }
    },
    async dial(uri: string): Promise<void> {
      earlier = phone.heard()
      await phone.command('ausrc', `aufile,${nothing}`).catch(() => {}) // there may be no call to change
      await phone.dial(uri)
      await phone.next('CALL_ESTABLISHED')
      await until('audio arrives', () => nowMs() > 0)
    },
    /** Plays this audio from now on, and silence after it. */
    async says(pcm: Int16Array): Promise<Spoken> {
      await phone.command('ausrc', `aufile,${file(pcm)}`)
      const fromMs = nowMs()
      return { fromMs, toMs: fromMs + (pcm.length * 1000) / RATE_HZ }
    },
    reaches: (ms: number, what: string) => until(what, () => nowMs() >= ms),
  }
}

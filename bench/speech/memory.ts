// Memory of each engine: loaded in its own process, used once, and measured. Run directly, this file is that process.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { monotonicMs } from '../../src/base/time/clock.ts'
import { embeddedVoices } from '../../src/speech/catalog.ts'
import { openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { openEspeakTts } from '../../src/speech/tts/espeak.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import type { Tts } from '../../src/voice/ports.ts'
import { allVoices, preparedKokoro, wayHere } from '../../test/prepared-kokoro.ts'
import { sounds } from '../../test/sounds.ts'
import { hear, openEars, TELEPHONE_HZ } from './ears.ts'
import { play } from './playing.ts'
import { clause, sentence } from './texts.ts'
import { never, voice } from './voices.ts'

/** `proportionalMb` divides a shared page among the processes that map it. */
export type MemoryRow = { engine: string; openMs: number; residentMb: number; proportionalMb: number; peakMb: number }

const noise = () => sounds['white noise']?.(TELEPHONE_HZ, 3) as Int16Array

type Opened = { use(): Promise<unknown>; close(): Promise<void> }

const speaking = <T extends Tts & { close(): Promise<void> }>(tts: T): Opened => ({
  use: () => play(tts.speak(sentence, voice, never)),
  close: () => tts.close(),
})

/** Each voice speaks once, so that all languages are loaded. */
const speakingAll = (tts: Awaited<ReturnType<typeof openKokoroTts>>): Opened => ({
  async use() {
    for (const { id, language } of embeddedVoices)
      await play(tts.speak(language.startsWith('pt') ? sentence : clause, { voiceId: id, language }, never))
  },
  close: () => tts.close(),
})

const engines: Readonly<Record<string, () => Promise<Opened>>> = {
  'nothing (Node alone)': async () => ({ use: async () => {}, close: async () => {} }),
  'small voice': async () => speaking(await openEspeakTts()),
  'natural, fast way': async () =>
    speakingAll(await openKokoroTts({ ...(await preparedKokoro('fast', allVoices)), way: 'fast' })),
  'natural, plain way': async () =>
    speakingAll(await openKokoroTts({ ...(await preparedKokoro(wayHere, allVoices)), way: 'plain' })),
  ears: async () => {
    const ears = await openEars()
    return { use: () => hear(ears, noise()), close: () => ears.close() }
  },
  'voice activity': async () => {
    const vad = await openSilero()
    return { use: () => vad.open(TELEPHONE_HZ).push(noise()), close: () => vad.close() }
  },
}

const megabytes = (bytes: number) => bytes / 1e6

/** Not `resourceUsage().maxRSS`: a child process inherits its parent's maximum. */
const peakBytes = () => Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024

const rollup = (field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1]) * 1024

export function measureMemory(): MemoryRow[] {
  const program = fileURLToPath(import.meta.url)
  return Object.keys(engines).map((name) => {
    const told = execFileSync(process.execPath, [program, name], { encoding: 'utf8', timeout: 120_000 })
    return { engine: name, ...(JSON.parse(told) as Omit<MemoryRow, 'engine'>) }
  })
}

if (import.meta.main) {
  const alive = setInterval(() => {}, 1000) // the fallback voice's thread does not keep the process alive
  const start = monotonicMs()
  const opened = await engines[process.argv[2] ?? '']?.()
  const openMs = monotonicMs() - start
  await opened?.use()
  const peakMb = megabytes(peakBytes())
  const [residentMb, proportionalMb] = [megabytes(rollup('Rss')), megabytes(rollup('Pss'))]
  process.stdout.write(JSON.stringify({ openMs, residentMb, proportionalMb, peakMb }))
  await opened?.close()
  clearInterval(alive)
}

// A caller with a real phone who speaks when they choose: after the agent or over it.
import { closeSync, existsSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { joinPcm } from '../../src/audio/pcm.ts'
import { pcmOf, WAV_HEADER_BYTES, wavFile } from '../../src/audio/wav.ts'
import { startBaresip } from '../phones/baresip.ts'
import { until } from '../until.ts'

const RATE_HZ = 8000
/** The phone hangs up when its audio file ends, so this is long. */
const SILENCE = new Int16Array(RATE_HZ * 120)
const AUDIBLE = 300
/** Longer than the pauses of the voice within a sentence. */
const QUIET_MS = 600
const WITHIN_MS = 30_000

export async function asking(folder: string) {
  const file = (name: string, pcm: Int16Array) => {
    const path = join(folder, `${name}.wav`)
    writeFileSync(path, wavFile(joinPcm([pcm, SILENCE]), RATE_HZ))
    return path
  }
  const nothing = file('nothing', new Int16Array(0))
  const phone = await startBaresip({ user: 'caller', says: { wav: nothing }, codecs: ['pcma'] })
  let said = 0
  let saidAt = WAV_HEADER_BYTES

  /** What the phone has heard since the caller began to speak. */
  function heardSince(): Int16Array {
    if (!existsSync(phone.heard())) return new Int16Array(0)
    const open = openSync(phone.heard(), 'r')
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(open).size - saidAt) & ~1)
      readSync(open, bytes, 0, bytes.length, saidAt)
      return pcmOf(bytes)
    } finally {
      closeSync(open)
    }
  }

  return {
    phone,
    /** Plays this audio from now on, and silence after it. */
    async says(pcm: Int16Array): Promise<void> {
      const path = file(`said-${++said}`, pcm)
      saidAt += heardSince().byteLength
      await phone.command('ausrc', `aufile,${path}`)
    },
    /** Waits until the agent has fallen silent, if it spoke, and has then spoken again for this long. */
    hearsAnswer: (forMs: number) =>
      until(`the agent has spoken for ${forMs} ms`, () => spokenMs(heardSince()) >= forMs, WITHIN_MS),
  }
}

/** Where a silence begins; null if there is none yet. */
function quietFrom(pcm: Int16Array): number | null {
  let quiet = 0
  for (const [i, sample] of pcm.entries()) {
    quiet = Math.abs(sample) > AUDIBLE ? 0 : quiet + 1
    if (quiet >= (QUIET_MS * RATE_HZ) / 1000) return i
  }
  return null
}

function spokenMs(pcm: Int16Array): number {
  const from = quietFrom(pcm)
  const first = from === null ? -1 : pcm.subarray(from).findIndex((sample) => Math.abs(sample) > AUDIBLE)
  return first < 0 ? 0 : ((pcm.length - (from ?? 0) - first) * 1000) / RATE_HZ
}

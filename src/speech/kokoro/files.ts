// The prepared files of Kokoro, and a manifest that detects incomplete and outdated ones.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Raise it whenever the output would differ; files of an older version are then prepared again. */
export const PREPARATION_VERSION = 1

export const PLAIN = 'plain.onnx'
export const FRONT = 'front.onnx'
export const GENERATOR_FILE = 'generator.onnx'
export const statisticsFile = (voice: string) => `voices/${voice}.statistics`
export const peaksFile = (voice: string) => `voices/${voice}.peaks.json`

/** `from` identifies the file's inputs: when it changes, the file is outdated. */
type Entry = { size: number; sha256: string; from: string }
export type Manifest = { version: number; files: Record<string, Entry> }

const manifestOf = (folder: string) => join(folder, 'manifest.json')

export async function readManifest(folder: string): Promise<Manifest> {
  try {
    const manifest = JSON.parse(await readFile(manifestOf(folder), 'utf8')) as Manifest
    if (manifest.version === PREPARATION_VERSION && typeof manifest.files === 'object') return manifest
  } catch {
    // Absent or damaged: no file counts as complete.
  }
  return { version: PREPARATION_VERSION, files: {} }
}

/** Whether the file exists with its recorded size. `isWhole` checks the content. */
export async function isPresent(folder: string, manifest: Manifest, name: string): Promise<boolean> {
  const entry = manifest.files[name]
  const found = await stat(join(folder, name)).catch(() => undefined)
  return entry !== undefined && found?.size === entry.size
}

export async function isWhole(folder: string, manifest: Manifest, name: string, from: string): Promise<boolean> {
  const entry = manifest.files[name]
  if (entry?.from !== from || !(await isPresent(folder, manifest, name))) return false
  return (await sha256(join(folder, name))) === entry.sha256
}

/** Records a file that has been moved to its final name. */
export async function record(folder: string, manifest: Manifest, name: string, from: string): Promise<void> {
  const path = join(folder, name)
  manifest.files[name] = { size: (await stat(path)).size, sha256: await sha256(path), from }
  await writeWhole(manifestOf(folder), JSON.stringify(manifest, null, 1))
}

/** Writes to a temporary name, syncs, then renames: complete or absent. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const partial = `${path}.part`
  const file = await open(partial, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
}

export const removePartial = (folder: string, name: string): Promise<void> =>
  rm(join(folder, `${name}.part`), { force: true })

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}

export async function readFloats(path: string): Promise<Float32Array> {
  const bytes = await readFile(path)
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer)
}

/**
 * Whether the fast path, or at least the plain one, can run from this folder with this voice. Checks sizes only, so it
 * is quick.
 */
export async function preparedFor(folder: string, voice: string): Promise<{ plain: boolean; fast: boolean }> {
  const manifest = await readManifest(folder)
  const has = (names: string[]) => Promise.all(names.map((name) => isPresent(folder, manifest, name)))
  const [plain, ...fast] = await has([PLAIN, FRONT, GENERATOR_FILE, statisticsFile(voice)])
  // A voice measured after the graphs were written may exceed their int8 range.
  const isCovered = [FRONT, GENERATOR_FILE].every((name) => manifest.files[name]?.from.split(' ').includes(voice))
  return { plain: plain === true, fast: isCovered && fast.every(Boolean) }
}

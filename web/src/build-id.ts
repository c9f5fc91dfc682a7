// Compares the build that this page runs with the one the server serves: they differ after an upgrade.
import { useSyncExternalStore } from 'react'

/** The entry script's file name, which contains a hash of the whole build. */
export const buildIdIn = (html: string): string | undefined =>
  /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/.exec(html)?.[1] ??
  /<script\b[^>]*\bsrc="([^"]+)"[^>]*\btype="module"/.exec(html)?.[1]

const ownBuildId = () => document.querySelector('script[type=module][src]')?.getAttribute('src') ?? undefined

const listeners = new Set<() => void>()
let isUpdated = false

const ANSWER_MS = 10_000

/** Asks the server; false if it is unreachable. Once it has served another build, the result stays true. */
export async function isOtherBuildServed(): Promise<boolean> {
  if (isUpdated) return true
  try {
    const headers = { accept: 'text/html' }
    const response = await fetch('/', { headers, cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })
    const served = response.ok ? buildIdIn(await response.text()) : undefined
    const own = ownBuildId()
    if (served === undefined || own === undefined || served === own) return false
  } catch {
    return false
  }
  isUpdated = true
  for (const listener of listeners) listener()
  return true
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** True once the server is known to serve another build. */
export const useIsUpdated = (): boolean => useSyncExternalStore(subscribe, () => isUpdated)

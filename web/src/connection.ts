// Whether the server is reachable. A failed request or a broken event stream raises a suspicion, which a probe confirms
// or clears.
import { useSyncExternalStore } from 'react'

export type Connection = {
  isLost(): boolean
  /** Reports a failure that a lost connection would explain. */
  suspect(): void
  /** Reports that the server has just responded. */
  confirm(): void
  subscribe(listener: () => void): () => void
}

/** Delays between probes while the connection is lost. */
const AGAIN_MS = [500, 1000, 2000, 3000] as const

/** `probe` resolves to whether the server responds; `wait` resolves after the given milliseconds. */
export function createConnection(probe: () => Promise<boolean>, wait: (ms: number) => Promise<unknown>): Connection {
  const listeners = new Set<() => void>()
  let isLost = false
  /** Identifies the current probe loop; `confirm` ends it. */
  let probing: object | null = null
  const set = (lost: boolean) => {
    if (lost === isLost) return
    isLost = lost
    for (const listener of listeners) listener()
  }
  async function probeUntilHeard(): Promise<void> {
    const own = {}
    probing = own
    for (let failures = 0; ; failures++) {
      const isHeard = await probe()
      if (probing !== own) return
      if (isHeard) break
      set(true)
      await wait(AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)] ?? 0)
      if (probing !== own) return
    }
    probing = null
    set(false)
  }
  return {
    isLost: () => isLost,
    suspect: () => void (probing ?? probeUntilHeard()),
    confirm() {
      probing = null
      set(false)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A server that responds more slowly counts as unreachable. */
const PROBE_MS = 5000

async function isServerUp(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })).ok
  } catch {
    return false
  }
}

export const connection = createConnection(isServerUp, (ms) => new Promise((resolve) => setTimeout(resolve, ms)))

/** For pages that must not present stale data as current. */
export const useIsConnectionLost = (): boolean => useSyncExternalStore(connection.subscribe, connection.isLost)

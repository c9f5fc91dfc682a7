// Runs several saved rehearsals, two at a time, until done or stopped. It continues across page changes.
import { useSyncExternalStore } from 'react'
import type { ListedRehearsal } from '../../../../client/paths.ts'

export type SuiteItem = {
  scriptId: string
  name: string
  state: 'waiting' | 'notStarted' | ListedRehearsal['status']
  runId: string | null
}
export type Suite = { agentId: string; items: readonly SuiteItem[]; isRunning: boolean }

export type SuiteParts = {
  begin: (scriptId: string) => Promise<{ id: string }>
  statusOf: (runId: string) => Promise<ListedRehearsal['status']>
  stop: (runId: string) => Promise<unknown>
  wait: (ms: number) => Promise<void>
}

/** Same as the server's limit per user. */
const AT_ONCE = 2
const POLL_MS = 500
/** Retries while the server is busy with another run of this user. */
const TRIES = 60

export function suiteRunner() {
  let suite: Suite | null = null
  let isStopped = false
  const listeners = new Set<() => void>()
  const publish = (next: Suite | null) => {
    suite = next
    for (const listener of listeners) listener()
  }
  const change = (scriptId: string, part: Partial<SuiteItem>) => {
    if (!suite) return
    publish({ ...suite, items: suite.items.map((item) => (item.scriptId === scriptId ? { ...item, ...part } : item)) })
  }

  async function runOne({ scriptId }: SuiteItem, { begin, statusOf, stop, wait }: SuiteParts): Promise<void> {
    let runId: string | null = null
    for (let tries = 0; runId === null; tries++) {
      if (isStopped) return change(scriptId, { state: 'notStarted' })
      try {
        runId = (await begin(scriptId)).id
      } catch (error) {
        const isBusy = (error as { statusCode?: number }).statusCode === 429
        if (!isBusy || tries >= TRIES) return change(scriptId, { state: 'error' })
        await wait(2 * POLL_MS)
      }
    }
    change(scriptId, { state: 'running', runId })
    let hasStopped = false
    for (;;) {
      if (isStopped && !hasStopped) {
        hasStopped = true
        await stop(runId).catch(() => {})
      }
      const state = await statusOf(runId).catch(() => 'error' as const)
      change(scriptId, { state })
      if (state !== 'running') return
      await wait(POLL_MS)
    }
  }

  return {
    get current(): Suite | null {
      return suite
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Only one suite at a time: a second start does nothing. */
    async start(agentId: string, scripts: readonly { id: string; name: string }[], parts: SuiteParts): Promise<void> {
      if (suite?.isRunning) return
      isStopped = false
      const items = scripts.map(({ id, name }): SuiteItem => ({ scriptId: id, name, state: 'waiting', runId: null }))
      publish({ agentId, items, isRunning: true })
      const waiting = [...items]
      const worker = async () => {
        for (let item = waiting.shift(); item; item = waiting.shift()) await runOne(item, parts)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      if (suite) publish({ ...(suite as Suite), isRunning: false })
    },
    stop(): void {
      isStopped = true
    },
    close(): void {
      isStopped = true
      publish(null)
    },
  }
}

export const suite = suiteRunner()
export const useSuite = (): Suite | null => useSyncExternalStore(suite.subscribe, () => suite.current)

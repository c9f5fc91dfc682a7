// Delayed removals: rows disappear at once and are deleted some seconds later, unless undone. Pure, except for its
// timers.

export type Removal = {
  key: string
  /** API paths of the records, by id. */
  paths: ReadonlyMap<string, string>
}

export type RemovalResult = { failed: ReadonlyMap<string, unknown> }

export type RemovalParts = {
  delayMs: number
  /** Deletes one record. With `isLeaving` the page is closing, and nothing can be awaited. */
  send: (path: string, isLeaving: boolean) => Promise<unknown>
  /** Called once all were attempted; the rows that failed reappear. */
  onDone: (removal: Removal, result: RemovalResult) => Promise<unknown> | undefined
  onChange: () => void
}

/** Concurrent requests: a browser opens six connections per host. */
const AT_A_TIME = 6

export function removalQueue({ delayMs, send, onDone, onChange }: RemovalParts) {
  const waiting = new Map<string, { removal: Removal; timer: ReturnType<typeof setTimeout> }>()
  /** Sent, but not yet gone from the lists. */
  const sending = new Set<Removal>()
  let hidden: ReadonlySet<string> = new Set()

  function changed(): void {
    const all = [...[...waiting.values()].map(({ removal }) => removal), ...sending]
    hidden = new Set(all.flatMap(({ paths }) => [...paths.keys()]))
    onChange()
  }

  async function commit(removal: Removal, isLeaving: boolean): Promise<void> {
    const entry = waiting.get(removal.key)
    if (!entry) return
    clearTimeout(entry.timer)
    waiting.delete(removal.key)
    sending.add(removal)
    changed()
    const failed = new Map<string, unknown>()
    const left = [...removal.paths]
    const work = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [id, path] = next
        await send(path, isLeaving).catch((error) => failed.set(id, error))
      }
    }
    // When the page closes, every request must be sent at once.
    await Promise.all(Array.from({ length: isLeaving ? left.length : AT_A_TIME }, work))
    // Refetch the lists before unhiding the rows, or they would flash up.
    await onDone(removal, { failed })
    sending.delete(removal)
    changed()
  }

  return {
    add(removal: Removal): void {
      const timer = setTimeout(() => void commit(removal, false), delayMs)
      waiting.set(removal.key, { removal, timer })
      changed()
    },
    /** Returns false if it is too late. */
    undo(key: string): boolean {
      const entry = waiting.get(key)
      if (!entry) return false
      clearTimeout(entry.timer)
      waiting.delete(key)
      changed()
      return true
    },
    /** Sends everything now, because the page is closing. */
    flush(): void {
      for (const { removal } of [...waiting.values()]) void commit(removal, true)
    },
    hidden: (): ReadonlySet<string> => hidden,
  }
}

// Removals that wait: rows disappear at once and are deleted some seconds later, unless they are undone. Pure but for its timers.

export type Removal = {
  key: string
  /** API paths of the records, by id. */
  paths: ReadonlyMap<string, string>
}

export type RemovalResult = { failed: ReadonlyMap<string, unknown> }

export type RemovalParts = {
  delayMs: number
  /** Deletes one record. `isLeaving`: the page is being closed, and nothing can be awaited. */
  send: (path: string, isLeaving: boolean) => Promise<unknown>
  /** All were tried; the rows that failed are shown again. */
  onDone: (removal: Removal, result: RemovalResult) => Promise<unknown> | undefined
  onChange: () => void
}

/** Requests at a time: a browser opens six connections to a host. */
const AT_A_TIME = 6

export function removalQueue({ delayMs, send, onDone, onChange }: RemovalParts) {
  const waiting = new Map<string, { removal: Removal; timer: ReturnType<typeof setTimeout> }>()
  /** Sent, and not yet gone from the lists. */
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
    // On leaving, everything must be on its way before the page is gone.
    await Promise.all(Array.from({ length: isLeaving ? left.length : AT_A_TIME }, work))
    // The lists are read again before the rows stop being hidden: they must not flash up.
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
    /** False when it is too late. */
    undo(key: string): boolean {
      const entry = waiting.get(key)
      if (!entry) return false
      clearTimeout(entry.timer)
      waiting.delete(key)
      changed()
      return true
    },
    /** Sends everything now: the page is being closed. */
    flush(): void {
      for (const { removal } of [...waiting.values()]) void commit(removal, true)
    },
    hidden: (): ReadonlySet<string> => hidden,
  }
}

// Schedules the sequences of a model in this process: calls before background work, with a bounded queue.

/** A sequence and the conversation that it has read. */
export type Slot<T> = { readonly chat: T; read: string }

export type Wanted = { text: string; isBackground: boolean }

type Waiting<T> = Wanted & { give(slot: Slot<T>): void }

/** Queue length for calls and for background work: later requests would not be served in time. */
const MAX_WAITING = 4

export function replySlots<T>(chats: readonly T[], busy: () => Error) {
  const free: Slot<T>[] = chats.map((chat) => ({ chat, read: '' }))
  const waiting: Waiting<T>[] = []
  /** Background work leaves one sequence for calls. */
  const isOpenTo = ({ isBackground }: Wanted) => free.length > (isBackground && chats.length > 1 ? 1 : 0)

  function best({ text }: Wanted): Slot<T> {
    const [first, ...others] = free as [Slot<T>, ...Slot<T>[]]
    const found = others.reduce((a, b) => (shared(b.read, text) > shared(a.read, text) ? b : a), first)
    free.splice(free.indexOf(found), 1)
    found.read = text
    return found
  }

  function serve(): void {
    const inOrder = waiting.toSorted((a, b) => Number(a.isBackground) - Number(b.isBackground))
    const next = inOrder.find(isOpenTo)
    if (!next) return
    waiting.splice(waiting.indexOf(next), 1)
    next.give(best(next))
    serve()
  }

  return {
    /** The free sequence that has read most of the text; undefined if the signal fires first. */
    async take(wanted: Wanted, signal: AbortSignal): Promise<Slot<T> | undefined> {
      if (signal.aborted) return undefined
      if (isOpenTo(wanted)) return best(wanted)
      const before = waiting.filter(({ isBackground }) => isBackground === wanted.isBackground)
      if (before.length >= MAX_WAITING) throw busy()
      return new Promise((resolve) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(entry), 1)
          resolve(undefined)
        }
        const entry: Waiting<T> = {
          ...wanted,
          give(slot) {
            signal.removeEventListener('abort', leave)
            resolve(slot)
          },
        }
        waiting.push(entry)
        signal.addEventListener('abort', leave, { once: true })
      })
    },

    release(slot: Slot<T>): void {
      free.push(slot)
      serve()
    },
  }
}

/** Length of the common prefix. */
function shared(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && a[at] === b[at]) at++
  return at
}

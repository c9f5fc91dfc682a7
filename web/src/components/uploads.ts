// Files on their way to the server. An upload goes on while other pages are shown, and stays listed until it is dismissed.
import { markUnsaved } from '../unsaved-changes.ts'

export type UploadOf = {
  /** The record that takes the file. */
  target: string
  /** Of the record. */
  name: string
  file: string
}
export type Upload<Result> = UploadOf & { id: number; owner: string } & (
    | { state: 'sending' }
    | { state: 'done'; result: Result }
    | { state: 'failed'; error: unknown }
  )

/** `hold` keeps the tab from closing without a question; it returns the function that lets it go. */
export function uploadStore<Result>(hold: () => () => void = markUnsaved) {
  let uploads: readonly Upload<Result>[] = []
  let count = 0
  const tasks = new Map<number, () => Promise<Result>>()
  const listeners = new Set<() => void>()
  const publish = (next: readonly Upload<Result>[]) => {
    uploads = next
    for (const listener of listeners) listener()
  }
  const replace = (next: Upload<Result>) => publish(uploads.map((one) => (one.id === next.id ? next : one)))

  /** Null: it failed. */
  async function start({ id, owner, target, name, file }: Upload<Result>): Promise<Result | null> {
    const task = tasks.get(id)
    if (!task) return null
    const upload = { id, owner, target, name, file }
    const release = hold()
    replace({ ...upload, state: 'sending' })
    try {
      const result = await task()
      tasks.delete(id)
      replace({ ...upload, state: 'done', result })
      return result
    } catch (error) {
      replace({ ...upload, state: 'failed', error })
      return null
    } finally {
      release()
    }
  }

  return {
    all: (): readonly Upload<Result>[] => uploads,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** A later upload to the same record replaces what was told about an earlier one. */
    send(of: UploadOf & { owner: string }, task: () => Promise<Result>): Promise<Result | null> {
      const upload: Upload<Result> = { ...of, id: ++count, state: 'sending' }
      tasks.set(upload.id, task)
      publish([upload, ...uploads.filter(({ target, state }) => target !== of.target || state === 'sending')])
      return start(upload)
    },
    /** Of one that failed. */
    async retry(id: number): Promise<void> {
      const upload = uploads.find((one) => one.id === id)
      if (upload?.state === 'failed') await start(upload)
    },
    dismiss(id: number): void {
      tasks.delete(id)
      publish(uploads.filter((one) => one.id !== id))
    },
  }
}
export type UploadStore<Result> = ReturnType<typeof uploadStore<Result>>

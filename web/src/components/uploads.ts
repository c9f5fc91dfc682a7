// File uploads in progress. An upload continues across page changes, and stays listed until dismissed.
import { markUnsaved } from '../unsaved-changes.ts'

export type UploadOf = {
  /** The id of the record that receives the file. */
  target: string
  /** The record's name. */
  name: string
  file: string
}
export type Upload<Result> = UploadOf & { id: number; owner: string } & (
    | { state: 'sending' }
    | { state: 'done'; result: Result }
    | { state: 'failed'; error: unknown }
  )

/** `hold` makes the browser ask before the tab closes; it returns the function that releases it. */
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

  /** Resolves to null if the upload failed. */
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
    /** Replaces earlier uploads to the same record, unless they are still in progress. */
    send(of: UploadOf & { owner: string }, task: () => Promise<Result>): Promise<Result | null> {
      const upload: Upload<Result> = { ...of, id: ++count, state: 'sending' }
      tasks.set(upload.id, task)
      publish([upload, ...uploads.filter(({ target, state }) => target !== of.target || state === 'sending')])
      return start(upload)
    },
    /** Retries a failed upload. */
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

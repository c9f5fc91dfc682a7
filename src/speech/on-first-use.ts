// Opens an engine or a vendor's client when it is first needed, once.

export type Closable = { close?(): Promise<void> | void }

export type OnFirstUse<T> = {
  get(): Promise<T>
  /** Closes what was opened; one that could not be opened has nothing to close. */
  close(): Promise<void>
}

export function onFirstUse<T extends Closable | undefined>(open: () => Promise<T>): OnFirstUse<T> {
  let opened: Promise<T> | undefined
  return {
    get() {
      opened ??= open()
      return opened
    },
    async close() {
      const engine = await opened?.catch(() => undefined)
      await engine?.close?.()
    },
  }
}

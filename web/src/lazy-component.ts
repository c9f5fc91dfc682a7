// A lazily loaded component that renders at once when it was preloaded; React.lazy would suspend first, and React delays what
// follows a fallback by 300 ms. A failed load is forgotten when the user tries again or goes elsewhere.
import { type ComponentType, createElement, use } from 'react'
import { isOtherBuildServed } from './build-id.ts'
import { connection } from './connection.ts'
import { fetchAgain, loadWithRetries } from './load-retry.ts'

export type LazyComponent<P> = ComponentType<P> & { load(): Promise<unknown> }

const failed = new Set<() => void>()

/** The next render loads again what could not be loaded. */
export function forgetFailedLoads(): void {
  for (const forget of failed) forget()
  failed.clear()
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function lazyComponent<Name extends string, P extends object = object>(
  load: () => Promise<{ [K in Name]: ComponentType<P> }>,
  name: Name,
): LazyComponent<P> {
  let loading: Promise<unknown> | undefined
  let Loaded: ComponentType<P> | undefined
  const start = () => {
    loading ??= loadWithRetries(load, { isOtherBuildServed, wait, fetchAgain }).then(
      (file) => {
        Loaded = file[name]
      },
      (error) => {
        connection.suspect()
        // The rejected promise stays until then: a new one at each render would never show the error.
        failed.add(() => {
          loading = undefined
        })
        throw error
      },
    )
    return loading
  }
  function Later(props: P) {
    if (!Loaded) use(start())
    return Loaded ? createElement(Loaded, props) : null
  }
  return Object.assign(Later, { load: start })
}

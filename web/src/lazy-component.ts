// A lazy component that renders synchronously once preloaded. React.lazy would suspend first, and React delays what
// replaces a fallback by 300 ms. A failed load is retried when the user tries again or navigates.
import { type ComponentType, createElement, use } from 'react'
import { isOtherBuildServed } from './build-id.ts'
import { connection } from './connection.ts'
import { fetchAgain, loadWithRetries } from './load-retry.ts'

export type LazyComponent<P> = ComponentType<P> & { load(): Promise<unknown> }

const failed = new Set<() => void>()

/** Makes the next render retry every failed load. */
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
        // Keep the rejected promise until then: a new one on each render would never let the error show.
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

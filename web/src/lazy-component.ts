// A lazily loaded component that renders at once when it was preloaded; React.lazy would suspend first, and React delays what
// follows a fallback by 300 ms.
import { type ComponentType, createElement, use } from 'react'

export type LazyComponent<P> = ComponentType<P> & { load(): Promise<unknown> }

export function lazyComponent<Name extends string, P extends object = object>(
  load: () => Promise<{ [K in Name]: ComponentType<P> }>,
  name: Name,
): LazyComponent<P> {
  let loading: Promise<unknown> | undefined
  let Loaded: ComponentType<P> | undefined
  const start = () => {
    loading ??= load().then((file) => {
      Loaded = file[name]
    })
    return loading
  }
  function Later(props: P) {
    if (!Loaded) use(start())
    return Loaded ? createElement(Loaded, props) : null
  }
  return Object.assign(Later, { load: start })
}

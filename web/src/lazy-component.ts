// A component whose file is loaded when it is needed. One that was loaded ahead is shown at once: `lazy` would show the
// waiting sign first, and whatever follows that sign is held back by a third of a second.
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

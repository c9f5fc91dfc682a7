// One transport for several conversations, one after the other: each hears on where the one before stopped, and nothing of the sound
// is lost or heard twice.
import type { Transport } from './ports.ts'

export type TransportLease = {
  transport: Transport
  /** This conversation hears no more. */
  release(): void
}

export function leaseTransport(transport: Transport): () => TransportLease {
  const input = inTurns(transport.input)
  const digits = inTurns(transport.digits)
  return () => {
    const [sound, keys] = [input(), digits()]
    const { play, volume, act } = transport
    return {
      transport: {
        input: sound.stream,
        digits: keys.stream,
        play: (audio, signal) => play.call(transport, audio, signal),
        ...(volume ? { volume: (gain: number) => volume.call(transport, gain) } : {}),
        act: (action) => act.call(transport, action),
      },
      release() {
        sound.stop()
        keys.stop()
      },
    }
  }
}

function inTurns<T>(source: AsyncIterable<T>) {
  type Next = IteratorResult<T, undefined>
  const from = source[Symbol.asyncIterator]() as AsyncIterator<T, undefined>
  let isAsked = false
  /** Came when nobody waited any more: the next reader's. */
  let kept: { next: Next } | { error: unknown } | undefined
  let waiting: PromiseWithResolvers<Next> | undefined

  function arrived(what: { next: Next } | { error: unknown }): void {
    isAsked = false
    if (!waiting) {
      kept = what
      return
    }
    if ('next' in what) waiting.resolve(what.next)
    else waiting.reject(what.error)
    waiting = undefined
  }

  function next(): Promise<Next> {
    waiting = Promise.withResolvers<Next>()
    const { promise } = waiting
    if (kept) {
      const what = kept
      kept = undefined
      arrived(what)
    } else if (!isAsked) {
      isAsked = true
      from.next().then(
        (one) => arrived({ next: one }),
        (error) => arrived({ error }),
      )
    }
    return promise
  }

  return () => {
    const end: Next = { done: true, value: undefined }
    let isStopped = false
    const iterator: AsyncIterator<T, undefined> = {
      next: async () => (isStopped ? end : next()),
      async return() {
        isStopped = true
        return end
      },
    }
    return {
      stream: { [Symbol.asyncIterator]: () => iterator },
      stop() {
        if (isStopped) return
        isStopped = true
        waiting?.resolve(end)
        waiting = undefined
      },
    }
  }
}

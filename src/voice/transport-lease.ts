// Leases one transport to consecutive sessions: each continues where the previous one stopped, and no audio is lost or read twice.
import type { Listening, Transport } from './ports.ts'

type TransportLease = {
  transport: Transport
  /** Ends the session's input and digits. */
  release(): void
}

export function leaseTransport(transport: Transport): () => TransportLease {
  const input = sequentialReaders(transport.input)
  const digits = sequentialReaders(transport.digits)
  return () => {
    const [audio, dtmf] = [input(), digits()]
    const { listen, play, volume, hold, act } = transport
    let listening: Listening | undefined
    return {
      transport: {
        input: audio.stream,
        ...(listen
          ? {
              listen(options, sink) {
                listening = listen.call(transport, options, sink)
                return listening
              },
            }
          : {}),
        digits: dtmf.stream,
        play: (audio, signal) => play.call(transport, audio, signal),
        ...(volume ? { volume: (gain: number) => volume.call(transport, gain) } : {}),
        ...(hold ? { hold: (isHeld: boolean) => hold.call(transport, isHeld) } : {}),
        act: (action) => act.call(transport, action),
      },
      release() {
        hold?.call(transport, false) // the next session plays from the start
        listening?.stop()
        audio.stop()
        dtmf.stop()
      },
    }
  }
}

function sequentialReaders<T>(source: AsyncIterable<T>) {
  type Next = IteratorResult<T, undefined>
  const from = source[Symbol.asyncIterator]() as AsyncIterator<T, undefined>
  let isReading = false
  /** Arrived after its reader had stopped: the next reader gets it. */
  let unread: { next: Next } | { error: unknown } | undefined
  let waiting: PromiseWithResolvers<Next> | undefined

  function arrived(item: { next: Next } | { error: unknown }): void {
    isReading = false
    if (!waiting) {
      unread = item
      return
    }
    if ('next' in item) waiting.resolve(item.next)
    else waiting.reject(item.error)
    waiting = undefined
  }

  function next(): Promise<Next> {
    waiting = Promise.withResolvers<Next>()
    const { promise } = waiting
    if (unread) {
      const item = unread
      unread = undefined
      arrived(item)
    } else if (!isReading) {
      isReading = true
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

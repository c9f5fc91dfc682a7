// What happens on the platform, as it happens: lists on the screen are read anew when an event says that they changed.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notifySignedOut } from './api.ts'
import { eventNames } from './event-types.ts'

export type PlatformEvent = { id: string; type: string; createdAt: string; data: Record<string, unknown> }

const listeners = new Set<(event: PlatformEvent) => void>()

/** Which paths of the API an event makes out of date: by the first word of its type. */
const pathsOf: Readonly<Record<string, readonly string[]>> = {
  call: ['/api/calls', '/api/overview'],
  conversation: ['/api/conversations', '/api/overview'],
  tool: ['/api/conversations'],
  device: ['/api/gateway'],
  trunk: ['/api/trunks'],
}
/** Many events come together: what they touch is read anew once. */
const SETTLE_MS = 400

/** So long after a stream that was refused another is tried. */
const AGAIN_MS = 5000

/** One stream for the whole page. */
export function useLiveUpdates(isOn: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOn) return
    let source: EventSource
    const stale = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      const words = [...stale]
      stale.clear()
      void client.invalidateQueries({
        predicate: ({ queryKey }) => words.some((p) => String(queryKey[1]).startsWith(p)),
      })
    }
    const hear = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as PlatformEvent
      for (const tell of listeners) tell(event)
      for (const path of pathsOf[event.type.split('.', 1)[0] ?? ''] ?? []) stale.add(path)
      if (stale.size > 0) timer ??= setTimeout(refresh, SETTLE_MS)
    }
    let again: ReturnType<typeof setTimeout> | undefined
    const open = () => {
      source = new EventSource('/api/events')
      for (const type of eventNames) source.addEventListener(type, hear)
      // A stream that broke off comes again by itself; one that is refused does not: perhaps the session has ended.
      source.onerror = () => {
        if (source.readyState !== EventSource.CLOSED) return
        again = setTimeout(open, AGAIN_MS)
        void isSignedOut().then((isOut) => isOut && notifySignedOut())
      }
    }
    open()
    return () => {
      clearTimeout(timer)
      clearTimeout(again)
      source.close()
    }
  }, [client, isOn])
}

/** False also where the server cannot be asked: that is no reason to take a page away. */
async function isSignedOut(): Promise<boolean> {
  try {
    const answer = await fetch('/auth/session')
    return answer.ok && (await answer.json()).user === null
  } catch {
    return false
  }
}

/** For pages that show events themselves. `hear` must be stable (useCallback). */
export function useEvents(hear: (event: PlatformEvent) => void): void {
  useEffect(() => {
    listeners.add(hear)
    return () => void listeners.delete(hear)
  }, [hear])
}

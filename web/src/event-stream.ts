// Live updates: one event stream invalidates the queries that an event makes stale.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notifySignedOut } from './api.ts'
import { eventNames } from './event-types.ts'

export type PlatformEvent = { id: string; type: string; createdAt: string; data: Record<string, unknown> }

const listeners = new Set<(event: PlatformEvent) => void>()

/** The API paths an event makes stale, by the prefix of its type. */
const pathsOf: Readonly<Record<string, readonly string[]>> = {
  call: ['/api/calls', '/api/overview'],
  conversation: ['/api/conversations', '/api/overview'],
  tool: ['/api/conversations'],
  device: ['/api/gateway'],
  trunk: ['/api/trunks'],
}
/** Events arrive in bursts: queries are invalidated once per burst. */
const SETTLE_MS = 400

/** Delay before reconnecting a refused stream. */
const AGAIN_MS = 5000

/** Opens one stream for the whole page. */
export function useLiveUpdates(isOn: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOn) return
    let source: EventSource
    const stale = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      const paths = [...stale]
      stale.clear()
      void client.invalidateQueries({
        predicate: ({ queryKey }) => paths.some((p) => String(queryKey[1]).startsWith(p)),
      })
    }
    const onMessage = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as PlatformEvent
      for (const listener of listeners) listener(event)
      for (const path of pathsOf[event.type.split('.', 1)[0] ?? ''] ?? []) stale.add(path)
      if (stale.size > 0) timer ??= setTimeout(refresh, SETTLE_MS)
    }
    let again: ReturnType<typeof setTimeout> | undefined
    const open = () => {
      source = new EventSource('/api/events')
      for (const type of eventNames) source.addEventListener(type, onMessage)
      // EventSource reconnects a broken stream by itself, but not a refused one: the session may have ended.
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

/** Also false when the server is unreachable: that is no reason to show the sign-in page. */
async function isSignedOut(): Promise<boolean> {
  try {
    const answer = await fetch('/auth/session')
    return answer.ok && (await answer.json()).user === null
  } catch {
    return false
  }
}

/** For pages that show events themselves. `listener` must be stable (useCallback). */
export function useEvents(listener: (event: PlatformEvent) => void): void {
  useEffect(() => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [listener])
}

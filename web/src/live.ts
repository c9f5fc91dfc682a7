// What happens on the platform, as it happens: lists on the screen are read anew when an event says that they changed.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
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

/** One stream for the whole page. */
export function useLiveUpdates(isOn: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOn) return
    const source = new EventSource('/api/events')
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
    for (const type of eventNames) source.addEventListener(type, hear)
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [client, isOn])
}

/** For pages that show events themselves. `hear` must be stable (useCallback). */
export function useEvents(hear: (event: PlatformEvent) => void): void {
  useEffect(() => {
    listeners.add(hear)
    return () => void listeners.delete(hear)
  }, [hear])
}

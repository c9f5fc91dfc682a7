// Live updates: one event stream invalidates the queries that an event makes stale, and shows whether the server is
// reachable.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isOtherBuildServed } from './build-id.ts'
import { connection } from './connection.ts'
import { eventNames } from './event-types.ts'
import { withOrganization } from './organization.ts'
import { fetchSession } from './session.tsx'
import { signInAgain } from './sign-in-again.ts'

/** The API paths that an event makes stale, by the prefix of its type. */
const pathsOf: Readonly<Record<string, readonly string[]>> = {
  call: ['/api/calls', '/api/overview'],
  callback: ['/api/callbacks'],
  campaign: ['/api/campaigns'],
  suppression: ['/api/suppression', '/api/campaigns'],
  conversation: ['/api/conversations', '/api/overview'],
  tool: ['/api/conversations'],
  device: ['/api/gateway'],
  trunk: ['/api/trunks'],
  user: ['/api/users', '/api/invitations'],
}
/** A provider failed in a call, or recovered: the banners show it. */
const providerEvents: readonly string[] = ['call.degraded', 'call.recovered']

/** Events arrive in bursts: queries are invalidated once per burst. */
const SETTLE_MS = 400

/** Delay before reconnecting a stream that the server refused. */
const AGAIN_MS = 5000

/** Opens a single stream for the whole page. */
export function useLiveUpdates(isOn: boolean): void {
  const client = useQueryClient()
  useEffect(() => (isOn ? openStream(client) : undefined), [client, isOn])
}

/** Returns the function that closes the stream. */
function openStream(client: QueryClient): () => void {
  let source: EventSource
  let hasBeenOpen = false
  let again: ReturnType<typeof setTimeout> | undefined
  const updates = queryUpdates(client)

  const opened = () => {
    connection.confirm()
    // Events may have been missed, and the server may have been upgraded.
    if (hasBeenOpen) {
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      void isOtherBuildServed()
      // The server also closes the stream when the member's role changes.
      void fetchSession().catch(() => {})
    }
    hasBeenOpen = true
  }
  const failed = () => {
    connection.suspect()
    // EventSource reconnects after a network error, but not after an HTTP error: the session may have ended.
    if (source.readyState !== EventSource.CLOSED) return
    again = setTimeout(open, AGAIN_MS)
    void signInAgain()
  }
  const open = () => {
    clearTimeout(again)
    source = new EventSource(withOrganization('/api/events'))
    for (const type of eventNames) source.addEventListener(type, updates.onMessage)
    source.onopen = opened
    source.onerror = failed
  }
  open()
  // The browser waits several seconds between attempts: reconnect as soon as the server responds.
  const forget = connection.subscribe(() => {
    if (connection.isLost() || source.readyState === EventSource.OPEN) return
    source.close()
    open()
  })
  return () => {
    forget()
    updates.stop()
    clearTimeout(again)
    source.close()
  }
}

function queryUpdates(client: QueryClient) {
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
  return {
    onMessage(message: MessageEvent<string>): void {
      const event = JSON.parse(message.data) as { type: string }
      for (const path of pathsOf[event.type.split('.', 1)[0] ?? ''] ?? []) stale.add(path)
      if (providerEvents.includes(event.type)) for (const path of ['/api/providers', '/api/agents']) stale.add(path)
      if (stale.size > 0) timer ??= setTimeout(refresh, SETTLE_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

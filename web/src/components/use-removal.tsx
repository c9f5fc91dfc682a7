// Removes rows with a ten-second undo: the DELETE is sent after the delay, or when the page closes.
import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { api, errorMessage, unwrap } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { beforeOrganizationChange, organizationHeader } from '../organization.ts'
import { ApiError } from '../session.tsx'
import { dropRows } from './list/use-server-rows.ts'
import { removalQueue } from './removal-queue.ts'
import { removalTexts } from './removal-texts.ts'

const UNDO_MS = 10_000

export type RemovalOptions = {
  /** The API path of a record's DELETE. */
  pathOf: (id: string) => string
  /** API paths whose queries are invalidated. */
  stale: readonly string[]
}

type Details = RemovalOptions & { client: QueryClient; notRemoved: string; offline: string }
const details = new Map<string, Details>()
const listeners = new Set<() => void>()
type Delete = (path: string, options: object) => Promise<{ error?: unknown; response: Response }>

/** A 404 counts as removed. Names the organization itself, because the tab may be about to change it. */
async function send(path: string): Promise<void> {
  const options = { keepalive: true, headers: organizationHeader() }
  await unwrap((api.DELETE as unknown as Delete)(path, options)).catch((error) => {
    if (!(error instanceof ApiError && error.statusCode === 404)) throw error
  })
}

const queue = removalQueue({
  delayMs: UNDO_MS,
  send,
  async onDone({ key, paths }, { failed }) {
    notifications.hide(key)
    const told = details.get(key)
    details.delete(key)
    if (!told) return
    const { client, stale, notRemoved, offline } = told
    dropRows(client, new Set([...paths.keys()].filter((id) => !failed.has(id))))
    await client.invalidateQueries({
      predicate: ({ queryKey }) => stale.some((path) => String(queryKey[1]).startsWith(path)),
    })
    const [error] = failed.values()
    if (failed.size === 0) return
    const message = error instanceof TypeError ? offline : (errorMessage(error) ?? offline)
    notifications.show({ title: notRemoved, message, color: 'red', autoClose: 10_000 })
  },
  onChange: () => {
    for (const listener of listeners) listener()
  },
})
addEventListener('pagehide', () => queue.flush())
beforeOrganizationChange(() => queue.flush())

let count = 0

/** Removes rows; the toast says what was removed and offers undo. */
export function useRemoval(): (rows: readonly { id: string; name: string }[], options: RemovalOptions) => void {
  const t = useTexts(removalTexts)
  const { offline } = useTexts(commonTexts)
  const client = useQueryClient()
  return useCallback(
    (rows, options) => {
      const [first] = rows
      if (!first) return
      const key = `removal-${++count}`
      details.set(key, { ...options, client, notRemoved: t.notRemoved, offline })
      queue.add({ key, paths: new Map(rows.map(({ id }) => [id, options.pathOf(id)])) })
      const undo = () => {
        if (queue.undo(key)) details.delete(key)
        notifications.hide(key)
      }
      notifications.show({
        id: key,
        autoClose: false,
        color: 'gray',
        message: (
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" lineClamp={2}>
              {rows.length === 1 ? t.removedOne(first.name) : t.removedSome(rows.length)}
            </Text>
            <Button size="compact-sm" variant="light" onClick={undo} style={{ flexShrink: 0 }}>
              {t.undo}
            </Button>
          </Group>
        ),
      })
    },
    [client, offline, t],
  )
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The ids of rows with a pending removal: lists leave them out. */
export const useHiddenRows = (): ReadonlySet<string> => useSyncExternalStore(subscribe, queue.hidden)

// Waits until the server is back after a change that restarts it.
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'

const ASK_EVERY_MS = 1000

/** `restartFrom` takes the `startedAt` of the process that is about to stop, to recognize the new one. */
export function useRestart(done: string) {
  const client = useQueryClient()
  const [before, setBefore] = useState<string | null>(null)
  useEffect(() => {
    if (before === null) return
    const asking = setInterval(async () => {
      const answer = await api.GET('/api/settings/addresses').catch(() => null) // requests fail during the restart
      if (!answer?.data || answer.data.startedAt === before) return
      setBefore(null)
      notifications.show({ message: done, color: 'ramal' })
      await client.invalidateQueries()
    }, ASK_EVERY_MS)
    return () => clearInterval(asking)
  }, [before, done, client])
  return { isRestarting: before !== null, restartFrom: setBefore }
}

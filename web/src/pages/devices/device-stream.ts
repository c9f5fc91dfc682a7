// A device's live status from its event stream.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Device } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { withOrganization } from '../../organization.ts'
import { type StatusEvent, withStatus } from './device-state.ts'

const one = (id: string) => queries.queryOptions('get', '/api/gateway/devices/{id}', { params: { path: { id } } })

/** The device with its QR code, kept up to date by its event stream. */
export function useDevice(id: string) {
  const client = useQueryClient()
  useEffect(() => {
    const source = new EventSource(withOrganization(`/api/gateway/devices/${encodeURIComponent(id)}/events`))
    const { queryKey } = one(id)
    const hear = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as StatusEvent
      const before = client.getQueryData(queryKey) as Device | undefined
      if (before) client.setQueryData(queryKey, withStatus(before, event))
      // A new status may come with another QR code: refetch.
      if (before?.status !== event.status) void client.invalidateQueries({ queryKey: ['get', '/api/gateway/devices'] })
      if (before?.status !== event.status) void client.invalidateQueries({ queryKey })
    }
    const removed = () => source.close()
    source.addEventListener('status', hear)
    source.addEventListener('removed', removed)
    return () => source.close()
  }, [client, id])
  return queries.useQuery('get', '/api/gateway/devices/{id}', { params: { path: { id } } })
}

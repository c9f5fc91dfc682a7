// The uploads of the signed-in user in this organization, for the pages that list them.
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useOrganization } from '../organization.ts'
import { useSession } from '../session.tsx'
import type { UploadOf, UploadStore } from './uploads.ts'

/** `stale`: API paths whose queries are invalidated when an upload finishes. */
export function useUploads<Result>(store: UploadStore<Result>, stale: readonly string[]) {
  const client = useQueryClient()
  const owner = `${useSession().data?.user?.id} ${useOrganization()?.id}`
  const all = useSyncExternalStore(store.subscribe, store.all)
  const refresh = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => stale.some((p) => String(queryKey[1]).startsWith(p)) })
  return {
    uploads: all.filter((one) => one.owner === owner),
    send: (of: UploadOf, task: () => Promise<Result>) => store.send({ ...of, owner }, () => task().finally(refresh)),
  }
}

// Closes and reopens callback requests, and saves notes.
import type { Callback } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { callbacksTexts } from './callbacks-texts.ts'

export const staleCallbacks = ['/api/callbacks']

const patchCallback = (id: string, body: { status?: Callback['status']; note?: string | null }) =>
  unwrap(api.PATCH('/api/callbacks/{id}', { params: { path: { id } }, body }))

export function useCallbackChanges() {
  const t = useTexts(callbacksTexts)
  const { isPending, run } = useAction()
  return {
    isPending,
    setStatus: ({ id }: Callback, status: Callback['status']) =>
      run(() => patchCallback(id, { status }), {
        ...(status === 'done' ? { success: t.closed } : {}),
        stale: staleCallbacks,
      }),
    setNote: ({ id }: Callback, note: string | null) =>
      run(() => patchCallback(id, { note }), { success: t.saved, stale: staleCallbacks }),
  }
}

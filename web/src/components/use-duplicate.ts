// Duplicates a record on the server, which also copies its secrets, and opens the copy.
import { useLocation } from 'wouter'
import { api, unwrap } from '../api.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { removalTexts } from './removal-texts.ts'
import { useAction } from './use-action.tsx'

const MAX_NAME = 255
type Kind = 'agents' | 'tools' | 'trunks'

export function useDuplicate(kind: Kind): (record: { id: string; name: string }) => Promise<boolean> {
  const t = useTexts(removalTexts)
  const [, go] = useLocation()
  const { run } = useAction()
  return ({ id, name }) => {
    const copy = t.copyOf(name)
    // A name at the limit is shortened before the copy suffix, so that the suffix survives.
    const body = {
      name: copy.length <= MAX_NAME ? copy : t.copyOf(name.slice(0, MAX_NAME - (copy.length - name.length))),
    }
    return run(
      async () => {
        const made = await unwrap(api.POST(`/api/${kind}/{id}/duplicate`, { params: { path: { id } }, body }))
        go(`/${kind}/${made.id}`)
      },
      { success: t.duplicated(body.name), stale: [`/api/${kind}`] },
    )
  }
}

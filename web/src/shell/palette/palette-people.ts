// People in the palette: callback requests, suppressed numbers, and users for administrators. There may be thousands,
// so the server does the search.
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { queries } from '../../api.ts'
import { formatNumber } from '../../components/phone-number.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { LISTS, OWN } from '../../pages/suppressions/suppression-tabs.tsx'
import { useIsAdmin } from '../../session.tsx'
import { navigationTexts } from '../navigation-texts.ts'
import type { Entry } from './palette-ranking.ts'

const MIN_LETTERS = 3
const PAUSE_MS = 200
const MAX_FOUND = 20
const MAX_USERS = 100

export function usePeople(text: string): Entry[] {
  const t = useTexts(navigationTexts)
  const isAdmin = useIsAdmin()
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS)
  const search = { params: { query: { q, limit: MAX_FOUND } } }
  const enabled = q.length >= MIN_LETTERS
  const { data: callbacks } = queries.useQuery('get', '/api/callbacks', search, { enabled })
  const { data: suppressions } = queries.useQuery('get', '/api/suppressions', search, { enabled })
  const ofUsers = { params: { query: { limit: MAX_USERS } } }
  const { data: users } = queries.useQuery('get', '/api/users', ofUsers, { enabled: enabled && isAdmin })
  return useMemo(() => {
    const asked = callbacks?.map(
      ({ id, name, phoneNumber, matter }): Entry => ({
        id,
        kind: 'person',
        name: [name, phoneNumber && formatNumber(phoneNumber)].filter(Boolean).join(' · ') || t.callbacks,
        detail: t.callbacks,
        keywords: `${phoneNumber ?? ''} ${matter ?? ''}`,
        to: `/callbacks?id=${id}`,
      }),
    )
    const suppressed = suppressions?.flatMap(({ id, listId, phoneNumber, note }): Entry[] => {
      if (phoneNumber === null) return []
      const list = listId === null ? OWN : `${LISTS}/${listId}`
      return [
        {
          id,
          kind: 'person',
          name: formatNumber(phoneNumber),
          detail: [t.suppressions, note].filter(Boolean).join(' · '),
          keywords: phoneNumber,
          to: `${list}?q=${encodeURIComponent(phoneNumber)}`,
        },
      ]
    })
    const members = users?.map(
      ({ id, name, email }): Entry => ({ id, kind: 'person', name, detail: email ?? t.users, to: '/users' }),
    )
    return [asked, suppressed, members].flatMap((entries) => entries ?? [])
  }, [callbacks, suppressions, users, t])
}

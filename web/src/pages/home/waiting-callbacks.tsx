// The number of open callback requests; renders nothing if there are none.
import { Alert, Anchor, Group } from '@mantine/core'
import { IconPhoneIncoming } from '@tabler/icons-react'
import { Link } from 'wouter'
import { queries } from '../../api.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { waitingCallbacksTexts } from './waiting-callbacks-texts.ts'

/** Higher counts are shown as "100+". */
const COUNTED = 100

export function WaitingCallbacks() {
  const t = useTexts(waitingCallbacksTexts)
  const { locale } = useLanguage()
  const query = { status: 'open' as const, limit: COUNTED }
  const { data: open = [] } = queries.useQuery('get', '/api/callbacks', { params: { query } })
  if (open.length === 0) return null
  const count = `${open.length.toLocaleString(locale)}${open.length === COUNTED ? '+' : ''}`
  return (
    <Alert color="yellow" variant="light" icon={<IconPhoneIncoming size={18} aria-hidden />}>
      <Group justify="space-between" gap="xs">
        {t.open(count, open.length === 1)}
        <Anchor component={Link} href="/callbacks?status=open" size="sm" c="inherit" underline="always">
          {t.see}
        </Anchor>
      </Group>
    </Alert>
  )
}

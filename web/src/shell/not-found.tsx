// The 404 page.
import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from 'wouter'
import { Page } from '../components/page.tsx'
import { EmptyState } from '../components/query-states.tsx'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'

export function NotFound() {
  const t = useTexts(commonTexts)
  return (
    <Page title="404">
      <EmptyState
        icon={<IconMapQuestion size={28} />}
        title="404"
        text={t.notFound}
        action={
          <Button component={Link} href="/">
            {t.home}
          </Button>
        }
      />
    </Page>
  )
}

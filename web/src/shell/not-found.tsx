// An address that names nothing.
import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from 'wouter'
import { common } from '../i18n/common.ts'
import { useWords } from '../i18n/words.tsx'
import { Page } from '../parts/page.tsx'
import { Empty } from '../parts/states.tsx'

export function NotFound() {
  const t = useWords(common)
  return (
    <Page title="404">
      <Empty
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

// Shown instead of a page that the member may not open.
import { Button } from '@mantine/core'
import { IconBuildingOff, IconLock } from '@tabler/icons-react'
import { Link } from 'wouter'
import { Page } from '../components/page.tsx'
import { EmptyState } from '../components/query-states.tsx'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { useOrganization } from '../organization.ts'
import { notPermittedTexts } from './not-permitted-texts.ts'

export function NotPermitted() {
  const t = useTexts(notPermittedTexts)
  const c = useTexts(commonTexts)
  const isMember = useOrganization() !== null
  const title = isMember ? t.notPermitted : t.noOrganization
  return (
    <Page title={title} help={null}>
      <EmptyState
        icon={isMember ? <IconLock size={28} aria-hidden /> : <IconBuildingOff size={28} aria-hidden />}
        title={title}
        text={isMember ? t.notPermittedText : t.noOrganizationText}
        isForAll
        action={
          isMember && (
            <Button component={Link} href="/" variant="default">
              {c.home}
            </Button>
          )
        }
      />
    </Page>
  )
}

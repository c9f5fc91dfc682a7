// The tabs for the user's own list and imported lists, each with its own URL.
import { Stack, Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useTexts } from '../../i18n/language-provider.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

export const OWN = '/suppressions'
export const LISTS = '/suppressions/lists'

export function SuppressionTabs({ at, children }: { at: typeof OWN | typeof LISTS; children: ReactNode }) {
  const t = useTexts(suppressionsTexts)
  const [, go] = useLocation()
  return (
    <Tabs value={at} onChange={(to) => to && go(to)} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={t.tabs}>
        <Tabs.Tab value={OWN}>{t.ownTab}</Tabs.Tab>
        <Tabs.Tab value={LISTS}>{t.listsTab}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={at} pt="lg">
        <Stack gap="lg">{children}</Stack>
      </Tabs.Panel>
    </Tabs>
  )
}

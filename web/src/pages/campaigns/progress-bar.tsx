// A campaign's progress: the share of finished contacts.
import { Group, Progress, Text } from '@mantine/core'
import type { Campaign } from '../../../../client/paths.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { progressOf } from './campaign-states.ts'
import { campaignsTexts } from './campaigns-texts.ts'

export function ProgressBar({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignsTexts)
  const { locale } = useLanguage()
  const share = progressOf(campaign)
  const percent = (share / 100).toLocaleString(locale, { style: 'percent' })
  return (
    <Group gap={8} wrap="nowrap" component="span" w="100%">
      <Progress.Root size={8} flex={1} miw={40}>
        <Progress.Section value={share} aria-label={t.progressOf(percent)} color="ramal" />
      </Progress.Root>
      <Text span size="sm" className="numbers" w={44} ta="right">
        {percent}
      </Text>
    </Group>
  )
}

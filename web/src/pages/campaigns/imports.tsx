// The imported lists of a campaign, and their results.
import { Paper, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { CampaignImport } from '../../../../client/paths.ts'
import { timeAgo } from '../../components/date-time.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { UploadCard } from '../../components/upload-card.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { campaignTexts } from './campaign-texts.ts'
import { useImports } from './import-report.tsx'
import { ImportResult } from './import-result.tsx'
import { contactUploads, useContactUploads } from './list-source.ts'

export function Imports({ campaignId }: { campaignId: string }) {
  const imports = useImports(campaignId)
  const { uploads } = useContactUploads()
  // Only unfinished uploads: once received, they appear among the imports.
  const underWay = uploads.filter(({ target, state }) => target === campaignId && state !== 'done')
  return (
    <QueryResult query={imports}>
      {(all) => (
        <Stack gap="sm">
          {underWay.map((upload) => (
            <UploadCard key={upload.id} upload={upload} store={contactUploads} done={() => null} />
          ))}
          {all.map((one) => (
            <OneImport key={one.id} one={one} />
          ))}
        </Stack>
      )}
    </QueryResult>
  )
}

function OneImport({ one }: { one: CampaignImport }) {
  const t = useTexts(campaignTexts)
  const [isReport, setReport] = useState(false)
  const { locale } = useLanguage()
  return (
    <Paper withBorder p="sm">
      {one.status !== 'running' && (
        <Text size="xs" c="dimmed" mb={4}>
          {t.imported(timeAgo(one.createdAt, locale))}
        </Text>
      )}
      <ImportResult one={one} isReport={isReport} setReport={setReport} />
    </Paper>
  )
}

// The test of a number: how a call to it would be routed, and a live trunk diagnosis.
import { Alert, Button, Group, List, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconStethoscope } from '@tabler/icons-react'
import { useState } from 'react'
import type { Did, TrunkReport } from '../../../client/paths.ts'
import { api, queries, unwrap } from '../api.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { doctorTexts } from '../pages/trunks/doctor-texts.ts'
import { useAgents } from './agent-name.tsx'
import { numberChecks } from './number-checks.ts'
import { phoneTexts } from './phone-texts.ts'
import { useAction } from './use-action.tsx'

export function NumberTest({ did, trunkId }: { did: Did; trunkId: string | null }) {
  const t = useTexts(phoneTexts)
  const d = useTexts(doctorTexts)
  const { isPending, run } = useAction()
  const { data: agents = [] } = useAgents()
  const { data: trunks = [] } = queries.useQuery('get', '/api/trunks')
  const [report, setReport] = useState<TrunkReport | null>(null)
  const trunk = trunks.find(({ id }) => id === trunkId)
  const agent = agents.find(({ id }) => id === did.agentId)
  const words = t.check as Readonly<Record<string, string | ((name: string) => string)>>
  const examine = (id: string) =>
    run(async () =>
      setReport(await unwrap(api.POST('/api/trunks/{id}/doctor', { params: { path: { id } }, body: {} }))),
    )
  const cause = report?.cause ? (d.causes as Readonly<Record<string, string>>)[report.cause] : undefined
  return (
    <Stack gap="sm">
      <Text fw={600} size="sm">
        {t.tests}
      </Text>
      <List spacing={6} listStyleType="none" size="sm" center>
        {numberChecks(did.status === 'active', trunk, agent).map(({ key, isGood, name }) => {
          const text = words[key]
          return (
            <List.Item
              key={key}
              icon={
                <ThemeIcon color={isGood ? 'teal' : 'yellow'} variant="light" size={24} radius="xl">
                  {isGood ? <IconCheck size={15} aria-hidden /> : <IconAlertTriangle size={15} aria-hidden />}
                </ThemeIcon>
              }
            >
              {typeof text === 'function' ? text(name) : text}
            </List.Item>
          )
        })}
      </List>
      {trunk?.isActive && (
        <Group gap="sm" aria-live="polite">
          <Button
            size="xs"
            variant="default"
            loading={isPending}
            leftSection={<IconStethoscope size={15} aria-hidden />}
            onClick={() => void examine(trunk.id)}
          >
            {t.testTrunk}
          </Button>
          {isPending && (
            <Text size="sm" c="dimmed">
              {t.testing}
            </Text>
          )}
        </Group>
      )}
      {report && (
        <Alert color={report.ok ? 'teal' : 'red'} variant="light" py="xs" role="status">
          {report.ok ? t.trunkFine : (cause ?? report.sentence)}
        </Alert>
      )}
    </Stack>
  )
}
